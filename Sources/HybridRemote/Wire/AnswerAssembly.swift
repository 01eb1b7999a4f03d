internal import HybridCore

/// Pieces of a completion ▶ what a run hands out.
protocol StreamAssembly: Sendable {
  associatedtype Output: Sendable

  init()

  /// Why the answer ended, once a piece said so.
  var finishReason: FinishReason? { get }

  /// The text so far.
  var text: String { get }

  /// - Throws: `protocol.badJSON` for pieces that contradict each other.
  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [Output]

  /// The answer has ended well.
  ///
  /// - Throws: `protocol.badJSON` for half a tool call, `protocol.badEventStream` for none where the
  ///   answer says that it ends with some.
  mutating func finish(_ ending: AnswerEnding) throws(HybridError) -> [Output]

  /// True for model output: the first one handed out is the commit point.
  static func isOutput(_ output: Output) -> Bool
}

/// What is known of an answer's end beside its pieces.
struct AnswerEnding: Sendable {
  /// The caller stopped it: what is unfinished is left out.
  var isCancelled: Bool
  var requestID: String?
  var timings: Timings
}

/// Pieces of a completion ▶ an executor's events.
struct EventAssembly: StreamAssembly {
  private(set) var finishReason: FinishReason?
  private(set) var text = ""
  private var model: String?
  private var usage: Usage?
  private var calls = ToolCallAssembler()

  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [ExecutorEvent] {
    model = model ?? chunk.model.flatMap { $0.isEmpty ? nil : $0 }
    usage = chunk.usage ?? usage
    var events: [ExecutorEvent] = []
    // One answer was asked for; a gateway that sends more is read as far as the first goes.
    for choice in chunk.choices where choice.index == 0 {
      finishReason = choice.finishReason ?? finishReason
      if let reasoning = choice.delta.reasoning, !reasoning.isEmpty {
        events.append(.reasoning(reasoning))
      }
      // A model's own words of refusal are its answer.
      for piece in [choice.delta.content, choice.delta.refusal] {
        guard let piece, !piece.isEmpty else { continue }
        text += piece
        events.append(.text(piece))
      }
      if !choice.logProbs.isEmpty { events.append(.logProbs(choice.logProbs)) }
      try calls.add(choice.delta.toolCalls)
    }
    return events
  }

  mutating func finish(_ ending: AnswerEnding) throws(HybridError) -> [ExecutorEvent] {
    let reason = ending.isCancelled ? .cancelled : finishReason ?? .unknown
    let whole = ending.isCancelled ? [] : try calls.finish(as: reason)
    if reason == .toolCalls, whole.isEmpty { throw WireShape.missingCalls }
    return whole.map { .toolCall($0) } + [
      .finished(
        Completion(
          finishReason: reason, model: model, usage: usage, timings: ending.timings,
          requestID: ending.requestID))
    ]
  }

  static func isOutput(_ output: ExecutorEvent) -> Bool { output.isOutput }
}

/// Pieces of a completion, as they are.
struct ChunkAssembly: StreamAssembly {
  private(set) var finishReason: FinishReason?
  private(set) var text = ""
  private var hasCalls = false

  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [ChatCompletionChunk] {
    for choice in chunk.choices {
      hasCalls = hasCalls || !choice.delta.toolCalls.isEmpty
      finishReason = choice.finishReason ?? finishReason
      if choice.index == 0 { text += choice.delta.content ?? "" }
    }
    return [chunk]
  }

  mutating func finish(_ ending: AnswerEnding) throws(HybridError) -> [ChatCompletionChunk] {
    if finishReason == .toolCalls, !hasCalls, !ending.isCancelled { throw WireShape.missingCalls }
    return []
  }

  static func isOutput(_ output: ChatCompletionChunk) -> Bool { output.hasOutput }
}
