public import HybridCore
public import HybridRouting

/// A whole answer, with where it ran and why.
public struct Answer: Sendable {
  public var text: String

  /// The model's reasoning, where it gave any; not part of ``text``.
  public var reasoning: String?

  public var toolCalls: [ToolCall]

  /// The tokens of ``text`` with their log-probabilities; nil where none were asked for, or the
  /// gateway gave none.
  ///
  /// What a stop string cut off is not told, nor the token that it cuts in two: so together they may
  /// be a little shorter than the text.
  public var logProbs: [TokenLogProb]?

  /// The side that gave the answer.
  public var ranOn: Side

  /// Why the answer did not simply come from the preferred side; nil where it did.
  public var reason: Reason?

  /// How it ended, with usage and timings as the side reported them.
  public var completion: Completion

  /// Every try, on either side, in order.
  public var attempts: [Attempt]

  /// The decision taken before anything ran.
  public var plan: RoutingPlan

  public var finishReason: FinishReason { completion.finishReason }
  public var model: String? { completion.model }
  public var usage: Usage? { completion.usage }
  public var timings: Timings { completion.timings }

  public init(
    text: String, reasoning: String? = nil, toolCalls: [ToolCall] = [],
    logProbs: [TokenLogProb]? = nil, ranOn: Side, reason: Reason?, completion: Completion,
    attempts: [Attempt], plan: RoutingPlan
  ) {
    self.text = text
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.logProbs = logProbs
    self.ranOn = ranOn
    self.reason = reason
    self.completion = completion
    self.attempts = attempts
    self.plan = plan
  }
}

/// What an answer's stream hands out, in order: the plan first, ``done(_:)`` last.
public enum AnswerEvent: Sendable {
  case plan(RoutingPlan)
  /// A try ended.
  case attempt(Attempt)
  /// The side that ran failed before any output; the other one takes over.
  case fallback(from: Side, to: Side, reason: Reason)
  case text(String)
  /// Tokens of the text so far; only where the request asks for them.
  case logProbs([TokenLogProb])
  case reasoning(String)
  case toolCall(ToolCall)
  case done(Answer)
}
