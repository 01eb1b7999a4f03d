internal import HybridCore

/// Pieces of a completion ▶ what a run hands out.
protocol StreamAssembly: Sendable {
  associatedtype Output: Sendable

  /// - Parameter choices: asked for.
  init(choices: Int)

  /// Every choice that was asked for has said why it ended.
  var isWhole: Bool { get }

  /// A choice ended with an error that it does not name.
  var hasFailed: Bool { get }

  /// The text so far, of the first choice.
  var text: String { get }

  /// - Throws: `protocol.badJSON` for pieces that contradict each other, `protocol.badEventStream` for
  ///   a choice that was not asked for.
  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [Output]

  /// The answer has ended well.
  ///
  /// - Throws: `unsupportedFeature` for fewer choices than were asked for; `protocol.badJSON` for half
  ///   a tool call, `protocol.badEventStream` for none where the answer says that it ends with some.
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
  private struct Choice: Sendable {
    /// Something of it has come.
    var isThere = false
    var finishReason: FinishReason?
    var calls = ToolCallAssembler()
  }

  private(set) var text = ""
  private var choices: [Choice]
  private var model: String?
  private var usage: StreamUsage

  init(choices: Int) {
    self.choices = Array(repeating: Choice(), count: choices)
    usage = StreamUsage(choices: choices)
  }

  var isWhole: Bool { choices.allSatisfy { $0.finishReason != nil } }
  var hasFailed: Bool { choices.contains { $0.finishReason == .error } }

  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [ExecutorEvent] {
    model = model ?? chunk.model.flatMap { $0.isEmpty ? nil : $0 }
    usage.read(chunk)
    try requireKnown(chunk, of: choices.count)
    var events: [ExecutorEvent] = []
    for choice in chunk.choices {
      events += try read(choice).map { ExecutorEvent($0, of: choice.index) }
    }
    return events
  }

  private mutating func read(
    _ choice: ChatCompletionChunk.Choice
  ) throws(HybridError) -> [OutputPiece] {
    let index = choice.index
    choices[index].isThere = true
    choices[index].finishReason = choice.finishReason ?? choices[index].finishReason
    var pieces: [OutputPiece] = []
    if let reasoning = choice.delta.reasoning, !reasoning.isEmpty {
      pieces.append(.reasoning(reasoning))
    }
    // A model's own words of refusal are its answer.
    for piece in [choice.delta.content, choice.delta.refusal] {
      guard let piece, !piece.isEmpty else { continue }
      if index == 0 { text += piece }
      pieces.append(.text(piece))
    }
    if !choice.logProbs.isEmpty { pieces.append(.logProbs(choice.logProbs)) }
    try choices[index].calls.add(choice.delta.toolCalls)
    return pieces
  }

  mutating func finish(_ ending: AnswerEnding) throws(HybridError) -> [ExecutorEvent] {
    if !ending.isCancelled { try requireAll(choices.count { $0.isThere }, of: choices.count) }
    var events: [ExecutorEvent] = []
    var reasons: [FinishReason] = []
    for (index, choice) in choices.enumerated() {
      // One of several may have ended before the caller stopped them.
      let isCancelled = ending.isCancelled && (choices.count == 1 || choice.finishReason == nil)
      let reason = isCancelled ? .cancelled : choice.finishReason ?? .unknown
      let whole = isCancelled ? [] : try choice.calls.finish(as: reason)
      if reason == .toolCalls, whole.isEmpty { throw WireShape.missingCalls(ofChoice: index) }
      reasons.append(reason)
      events += whole.map { ExecutorEvent(.toolCall($0), of: index) }
    }
    return events + [
      .finished(
        Completion(
          finishReason: reasons[0], otherFinishReasons: Array(reasons.dropFirst()), model: model,
          usage: usage.total, timings: ending.timings, requestID: ending.requestID))
    ]
  }

  static func isOutput(_ output: ExecutorEvent) -> Bool { output.isOutput }
}

/// Pieces of a completion, as they are.
struct ChunkAssembly: StreamAssembly {
  private(set) var text = ""
  private var finishReasons: [FinishReason?]
  private var isThere: [Bool]
  private var hasCalls: [Bool]

  init(choices: Int) {
    finishReasons = Array(repeating: nil, count: choices)
    isThere = Array(repeating: false, count: choices)
    hasCalls = isThere
  }

  var isWhole: Bool { finishReasons.allSatisfy { $0 != nil } }
  var hasFailed: Bool { finishReasons.contains(.error) }

  mutating func read(_ chunk: ChatCompletionChunk) throws(HybridError) -> [ChatCompletionChunk] {
    try requireKnown(chunk, of: isThere.count)
    for choice in chunk.choices {
      let index = choice.index
      isThere[index] = true
      hasCalls[index] = hasCalls[index] || !choice.delta.toolCalls.isEmpty
      finishReasons[index] = choice.finishReason ?? finishReasons[index]
      if index == 0 { text += choice.delta.content ?? "" }
    }
    return [chunk]
  }

  mutating func finish(_ ending: AnswerEnding) throws(HybridError) -> [ChatCompletionChunk] {
    if ending.isCancelled { return [] }
    try requireAll(isThere.count { $0 }, of: isThere.count)
    for index in isThere.indices where finishReasons[index] == .toolCalls && !hasCalls[index] {
      throw WireShape.missingCalls(ofChoice: index)
    }
    return []
  }

  static func isOutput(_ output: ChatCompletionChunk) -> Bool { output.hasOutput }
}

extension StreamAssembly {
  /// Asked before any of the piece is read, so that nothing of it is handed out.
  fileprivate func requireKnown(
    _ chunk: ChatCompletionChunk, of asked: Int
  ) throws(HybridError) {
    for (place, choice) in chunk.choices.enumerated()
    where !(0..<asked).contains(choice.index) {
      throw WireShape.strangeChoice(choice.index, at: place, of: asked)
    }
  }

  fileprivate func requireAll(_ given: Int, of asked: Int) throws(HybridError) {
    // With one asked for, an empty stream that ends properly is an empty answer.
    if asked > 1, given < asked { throw .tooFewChoices(given, of: asked) }
  }
}

/// The tokens that a stream tells of.
struct StreamUsage: Sendable {
  private let choices: Int
  private var last: Usage?
  /// Of pieces with nothing else in them.
  private var own: [Usage] = []

  init(choices: Int) {
    self.choices = choices
  }

  mutating func read(_ chunk: ChatCompletionChunk) {
    guard let usage = chunk.usage else { return }
    last = usage
    if chunk.choices.isEmpty { own.append(usage) }
  }

  /// The last that was told. A llama-server tells of each choice for itself, in a piece of its own:
  /// then the completions' tokens are added up.
  var total: Usage? {
    guard choices > 1, own.count > 1 else { return last }
    let completions = own.map(\.completionTokens)
    return Usage(
      promptTokens: own[0].promptTokens, cachedTokens: own.compactMap(\.cachedTokens).min(),
      completionTokens: completions.contains(nil)
        ? nil : completions.reduce(0) { $0 + ($1 ?? 0) },
      counted: own.count == choices && own.allSatisfy(\.counted))
  }
}
