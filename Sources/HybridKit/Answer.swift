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

  /// The answers beside the first, where the request asks for several ``ChatRequest/choices``.
  public var otherChoices: [AnswerChoice]

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

  /// All answers, the first included: as many as the request asks for.
  public var choices: [AnswerChoice] {
    let first = AnswerChoice(
      text: text, reasoning: reasoning, toolCalls: toolCalls, logProbs: logProbs,
      finishReason: finishReason)
    return [first] + otherChoices
  }

  public init(
    text: String, reasoning: String? = nil, toolCalls: [ToolCall] = [],
    logProbs: [TokenLogProb]? = nil, otherChoices: [AnswerChoice] = [], ranOn: Side,
    reason: Reason?, completion: Completion, attempts: [Attempt], plan: RoutingPlan
  ) {
    self.text = text
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.logProbs = logProbs
    self.otherChoices = otherChoices
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
  /// A piece of a further choice, by its number from 1 on; the first choice's pieces come as they are.
  case choice(Int, OutputPiece)
  case done(Answer)

  /// - Parameter choice: from 0.
  init(_ piece: OutputPiece, of choice: Int) {
    switch piece {
    case _ where choice > 0: self = .choice(choice, piece)
    case .text(let text): self = .text(text)
    case .logProbs(let tokens): self = .logProbs(tokens)
    case .reasoning(let text): self = .reasoning(text)
    case .toolCall(let call): self = .toolCall(call)
    }
  }
}
