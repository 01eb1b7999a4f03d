import HybridCore
import Testing

@Suite struct `A piece of output` {
  static let pieces: [OutputPiece] = [
    .text("a"), .reasoning("hm"), .toolCall(ToolCall(id: "t", name: "f", arguments: "{}")),
    .logProbs([TokenLogProb(text: "a", bytes: nil, token: 1, logProb: -1)]),
  ]

  @Test(arguments: pieces, [0, 1, 127])
  func `is the same piece of the same choice as an event`(_ piece: OutputPiece, choice: Int) {
    let event = ExecutorEvent(piece, of: choice)
    #expect(event.output?.choice == choice)
    #expect(event.output?.piece == piece)
    #expect(event.isOutput)
    if case .choice = event { #expect(choice > 0) } else { #expect(choice == 0) }
  }

  @Test func `is none in the end of a run, which is cancelled where one of its choices is`() {
    let end = Completion(finishReason: .stop, otherFinishReasons: [.length, .cancelled])
    #expect(ExecutorEvent.finished(end).output == nil)
    #expect(!ExecutorEvent.finished(end).isOutput)
    #expect(end.isCancelled)
    #expect(Completion(finishReason: .cancelled, otherFinishReasons: [.stop]).isCancelled)
    #expect(!Completion(finishReason: .stop, otherFinishReasons: [.length]).isCancelled)
  }
}
