import HybridCore
import HybridLocal
import Testing

struct GenerationTests {
  /// Runs a generation on a made-up model whose tokens are these pieces; nil ends the text.
  static func run(
    _ generation: inout Generation, pieces: [String?]
  ) -> (text: String, finish: FinishReason?) {
    var text = ""
    for piece in pieces {
      let progress = generation.sampled(
        piece: Array((piece ?? "").utf8), endsGeneration: piece == nil)
      text += progress.text
      if let finish = progress.finish { return (text, finish) }
    }
    return (text, nil)
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var name: String
    var pieces: [String?]
    var contextLength = 100
    var maxTokens: Int?
    var stop: [String] = []
    var reason: FinishReason
    var text: String
    var generated: Int
    var testDescription: String { name }
  }

  static let endings = [
    Ending(
      name: "the model's end", pieces: ["a", "b", nil], reason: .stop, text: "ab", generated: 3),
    Ending(
      name: "the end at once", pieces: [nil], reason: .stop, text: "", generated: 1),
    Ending(
      name: "the limit", pieces: ["a", "b", "c"], maxTokens: 2, reason: .length, text: "ab",
      generated: 2),
    Ending(
      name: "the end as the last allowed token", pieces: ["a", nil], maxTokens: 2, reason: .stop,
      text: "a", generated: 2),
    Ending(
      name: "a stop string over three tokens", pieces: ["a E", "N", "D b"], stop: ["END"],
      reason: .stop, text: "a ", generated: 3),
    Ending(
      name: "a stop string begun and not finished", pieces: ["a E", "N", nil], stop: ["END"],
      reason: .stop, text: "a EN", generated: 3),
    Ending(
      name: "a stop string as the last allowed token", pieces: ["a", "END"], maxTokens: 2,
      stop: ["END"], reason: .stop, text: "a", generated: 2),
    // 10 cells: 8 of the prompt, 2 answers computed, and the third only chosen.
    Ending(
      name: "the context's end", pieces: ["a", "b", "c", "d"], contextLength: 10,
      reason: .contextFull, text: "abc", generated: 3),
  ]

  /// Reasoning, text and the end of an answer of a model that thinks.
  private func run(_ pieces: [String?], maxTokens: Int? = nil, stop: [String] = []) -> [String] {
    let marks = ReasoningMarks(open: "<think>", close: "</think>")
    var generation = Generation(
      promptCount: 1, contextLength: 100, maxTokens: maxTokens, stop: stop,
      reasoning: ReasoningUse(marks: marks))
    var (reasoning, text) = ("", "")
    for piece in pieces {
      let progress = generation.sampled(
        piece: Array((piece ?? "").utf8), endsGeneration: piece == nil)
      reasoning += progress.reasoning
      text += progress.text
      if let finish = progress.finish { return [reasoning, text, finish.rawValue] }
    }
    return [reasoning, text]
  }

  @Test func `an answer cut off in its reasoning is empty`() {
    let pieces: [String?] = ["<think>", "so ", "be ", "it", "</think>", "Yes", nil]
    #expect(run(pieces, maxTokens: 3) == ["so be", "", "length"])
    #expect(run(pieces, maxTokens: 6) == ["so be it", "Yes", "length"])
    #expect(run(pieces) == ["so be it", "Yes", "stop"])
    #expect(run(["<think>so", nil]) == ["so", "", "stop"])
  }

  @Test func `a stop string ends the answer, not the reasoning`() {
    let pieces: [String?] = ["<think>\n\na\n\nb</think>\n\n", "Yes", ".\n", "\nNo", nil]
    #expect(run(pieces, stop: ["\n\n"]) == ["a\n\nb", "Yes.", "stop"])
    #expect(run(["<think>a</thi", nil], stop: ["</thi"]) == ["a</thi", "", "stop"])
  }

  @Test(arguments: endings)
  func `an answer ends for one reason, with all of its text`(ending: Ending) {
    var generation = Generation(
      promptCount: 8, contextLength: ending.contextLength, maxTokens: ending.maxTokens,
      stop: ending.stop)
    let (text, finish) = Self.run(&generation, pieces: ending.pieces)
    #expect(finish == ending.reason)
    #expect(text == ending.text)
    #expect(generation.generated == ending.generated)
  }

  @Test func `half a character is held until it is whole`() {
    var generation = Generation(promptCount: 1, contextLength: 100)
    let bytes = Array("🙂".utf8)
    #expect(generation.sampled(piece: Array(bytes[..<2]), endsGeneration: false).text == "")
    #expect(generation.sampled(piece: Array(bytes[2...]), endsGeneration: false).text == "🙂")
  }

  @Test func `an answer that is cut short gives out what it held back`() {
    var generation = Generation(promptCount: 1, contextLength: 100, stop: ["END"])
    #expect(generation.sampled(piece: Array("a EN".utf8), endsGeneration: false).text == "a ")
    #expect(generation.rest().text == "EN")
  }

  static let codes: [(Int32, DecodeOutcome)] = [
    (0, .done), (1, .noRoom), (2, .aborted), (-1, .invalidBatch), (-2, .failed(code: -2)),
    (-3, .failed(code: -3)), (3, .failed(code: 3)), (-1000, .failed(code: -1000)),
  ]

  @Test(arguments: codes)
  func `each code of a decode has its own meaning`(code: Int32, outcome: DecodeOutcome) {
    #expect(DecodeOutcome(code: code) == outcome)
  }
}
