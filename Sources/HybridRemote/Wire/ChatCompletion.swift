public import HybridCore

/// A whole chat completion, as the protocol has it.
public struct ChatCompletion: Sendable, Hashable {
  public var id: String?
  public var model: String?
  /// At least one.
  public var choices: [Choice]
  public var usage: Usage?

  /// The gateway's name for the request, from the response's headers.
  public var requestID: String?

  /// The completion exactly as it came, unknown fields included.
  public var raw: JSONValue

  public struct Choice: Sendable, Hashable {
    public var index: Int
    public var message: Message
    public var finishReason: FinishReason?
    /// Of the message's tokens; empty where none were asked for.
    public var logProbs: [TokenLogProb]
  }

  public struct Message: Sendable, Hashable {
    public var role: ChatRole
    public var content: String?
    /// The model's reasoning, from `reasoning_content` or `reasoning`.
    public var reasoning: String?
    /// The model's own words where it declined.
    public var refusal: String?
    public var toolCalls: [ToolCall]
  }
}

extension ChatCompletion {
  /// - Throws: `protocol.badJSON` for a body without choices, with one twice, with half a tool call, or with a field
  ///   that cannot be read.
  init(_ value: JSONValue, requestID: String? = nil) throws(HybridError) {
    let list = try WireShape(value, code: .badJSON)["choices"].list()
    guard !list.isEmpty else {
      throw HybridError(
        .badJSON, "the gateway's answer has no choices",
        nextStep: "Check that the URL is that of a chat completions API", side: .remote)
    }
    id = value["id"]?.string
    model = value["model"]?.string
    usage = value["usage"].flatMap(Usage.init(wire:))
    raw = value
    self.requestID = requestID
    var choices: [Choice] = []
    for (place, shape) in list.enumerated() {
      // One choice of a completion reads like one of a stream that ends with it.
      let choice = try ChatCompletionChunk.Choice(shape, at: place)
      if choices.contains(where: { $0.index == choice.index }) {
        throw shape["index"].twice(choice.index)
      }
      var calls = ToolCallAssembler()
      try calls.add(choice.delta.toolCalls)
      let whole = try calls.finish(as: choice.finishReason ?? .unknown)
      if choice.finishReason == .toolCalls, whole.isEmpty {
        throw shape.content["tool_calls"].missing()
      }
      choices.append(
        Choice(
          index: choice.index,
          message: Message(
            role: choice.delta.role ?? .assistant, content: choice.delta.content,
            reasoning: choice.delta.reasoning, refusal: choice.delta.refusal,
            toolCalls: whole),
          finishReason: choice.finishReason, logProbs: choice.logProbs))
    }
    self.choices = choices
  }

  /// - Throws: `unsupportedFeature` for fewer choices than were asked for, `protocol.badJSON` for
  ///   others.
  func require(choices asked: Int) throws(HybridError) {
    for (place, choice) in choices.enumerated() where !(0..<asked).contains(choice.index) {
      throw WireShape.strangeChoice(choice.index, at: place, of: asked, code: .badJSON)
    }
    guard choices.count == asked else { throw .tooFewChoices(choices.count, of: asked) }
  }
}
