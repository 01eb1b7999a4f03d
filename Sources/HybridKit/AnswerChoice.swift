public import HybridCore

/// One of the answers to a request that asks for several.
public struct AnswerChoice: Sendable, Hashable {
  public var text: String
  public var reasoning: String?
  public var toolCalls: [ToolCall]

  /// As in ``Answer/logProbs``.
  public var logProbs: [TokenLogProb]?

  /// How this one ended.
  public var finishReason: FinishReason

  public init(
    text: String, reasoning: String? = nil, toolCalls: [ToolCall] = [],
    logProbs: [TokenLogProb]? = nil, finishReason: FinishReason
  ) {
    self.text = text
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.logProbs = logProbs
    self.finishReason = finishReason
  }
}
