extension ChatRequest {
  /// Refuses what no side could answer, before anything is counted or sent.
  ///
  /// Both executors rely on it: what passes here has one meaning on either side.
  ///
  /// - Throws: `invalidRequest`, with the field in `details.field`.
  public func validate() throws(HybridError) {
    guard let last = messages.last else {
      throw .invalid("messages", "the conversation has no message", "Give at least one message")
    }
    let isEmpty = messages.allSatisfy { $0.text.isEmpty && !$0.hasImage && $0.toolCalls.isEmpty }
    let asksNothing =
      last.role == .user && !last.hasImage && last.text.allSatisfy(\.isWhitespace)
    if isEmpty || asksNothing {
      throw .invalid("messages", "the prompt is empty", "Give a prompt with some text in it")
    }
    try sampling.validate()
    if !sampling.logitBias.isEmpty, model == nil {
      throw .invalid(
        "logitBias", "the logit bias counts tokens of a model that the request does not name",
        "Name the model: the numbers mean other tokens for another one")
    }
    if let topLogProbs, !(0...Self.mostTopLogProbs).contains(topLogProbs) {
      throw .invalid(
        "topLogProbs", "topLogProbs is \(topLogProbs)",
        "Give 0 to \(Self.mostTopLogProbs), or leave it out")
    }
    if !(1...Self.mostChoices).contains(choices) {
      throw .invalid("choices", "choices is \(choices)", "Give 1 to \(Self.mostChoices)")
    }
    if let maxTokens, maxTokens < 1 {
      throw .invalid("maxTokens", "maxTokens is \(maxTokens)", "Give at least 1, or leave it out")
    }
    if stop.count > Self.mostStops {
      throw .invalid(
        "stop", "there are \(stop.count) stop strings", "Give at most \(Self.mostStops)")
    }
    if !stop.allSatisfy({ (1...Self.longestStop).contains($0.utf8.count) }) {
      throw .invalid(
        "stop", "a stop string is empty or longer than \(Self.longestStop) bytes",
        "Give stop strings of 1 to \(Self.longestStop) bytes")
    }
    if let deadline, deadline <= .zero {
      throw .invalid("deadline", "the deadline is not after now", "Give more than 0 seconds")
    }
    for key in extraFields.keys where Self.ownFields.contains(key) {
      throw .invalid(
        key, "the extra field \"\(key)\" has a place of its own in the request",
        "Set that property")
    }
  }

  /// Stop strings that one request may have: each is looked for at every token.
  public static let mostStops = 64

  /// Bytes of UTF-8 in a stop string: so much of an answer may be held back.
  public static let longestStop = 1024

  /// Alternatives that may be asked for with each token.
  public static let mostTopLogProbs = 20

  /// Answers that may be asked for at once: OpenAI's own limit.
  public static let mostChoices = 128

  /// The wire's names for what the request has properties for.
  private static let ownFields: Set<String> = [
    "messages", "model", "stream", "stream_options", "temperature", "top_p", "top_k", "min_p",
    "seed", "repetition_penalty", "repeat_penalty", "repeat_last_n", "presence_penalty",
    "frequency_penalty", "logit_bias", "logprobs", "top_logprobs", "max_tokens",
    "max_completion_tokens", "stop", "tools", "n",
  ]
}

extension Sampling {
  /// - Throws: `invalidRequest` for a value outside its range.
  public func validate() throws(HybridError) {
    try Self.check(temperature, "temperature", in: 0...2)
    try Self.check(topP, "topP", in: Double.leastNonzeroMagnitude...1)
    try Self.check(minP, "minP", in: 0...1)
    if let topK, topK < 0 {
      throw .invalid("topK", "topK is \(topK)", "Give 0 for all tokens, or more")
    }
    try Self.check(repetitionPenalty, "repetitionPenalty", in: 0.1...10)
    if let penaltyWindow, penaltyWindow < 1 {
      throw .invalid("penaltyWindow", "penaltyWindow is \(penaltyWindow)", "Give at least 1")
    }
    try Self.check(presencePenalty, "presencePenalty", in: -2...2)
    try Self.check(frequencyPenalty, "frequencyPenalty", in: -2...2)
    if logitBias.count > Self.mostBiases {
      throw .invalid(
        "logitBias", "there are \(logitBias.count) logit biases",
        "Give at most \(Self.mostBiases)")
    }
    // In order, so that the same one of several is told each time.
    for (token, bias) in logitBias.sorted(by: { $0.key < $1.key }) {
      if !(0...Int(Int32.max)).contains(token) {
        throw .invalid("logitBias", "there is no token \(token)", "Give tokens' numbers, from 0")
      }
      try Self.check(bias, "logitBias", in: -100...100)
    }
  }

  /// Tokens that one request may bias: each is added at every token.
  public static let mostBiases = 1024

  private static func check(
    _ value: Double?, _ field: String, in range: ClosedRange<Double>
  ) throws(HybridError) {
    guard let value, !range.contains(value) else { return }
    let isOpen = range.lowerBound == .leastNonzeroMagnitude
    let lowest = isOpen ? "over 0" : "from \(range.lowerBound)"
    throw .invalid(
      field, "\(field) is \(value)", "Give a value \(lowest) up to \(range.upperBound)")
  }
}

extension ChatMessage {
  fileprivate var hasImage: Bool {
    content.contains { if case .image = $0 { true } else { false } }
  }
}

extension HybridError {
  fileprivate static func invalid(
    _ field: String, _ message: String, _ nextStep: String
  ) -> HybridError {
    HybridError(.invalidRequest, message, nextStep: nextStep, details: ["field": .string(field)])
  }
}
