public import HybridCore

/// One piece of a streamed chat completion, as the protocol has it.
public struct ChatCompletionChunk: Sendable, Hashable {
  public var id: String?
  public var model: String?

  /// Empty in the piece that carries the usage alone.
  public var choices: [Choice]

  /// Only in one of the last pieces, where the gateway tells it at all.
  public var usage: Usage?

  /// The piece exactly as it came, unknown fields included.
  public var raw: JSONValue

  public struct Choice: Sendable, Hashable {
    public var index: Int
    public var delta: Delta
    public var finishReason: FinishReason?
    /// Of the tokens that the piece adds; empty where none were asked for.
    public var logProbs: [TokenLogProb]
  }

  /// What the piece adds.
  public struct Delta: Sendable, Hashable {
    public var role: ChatRole?
    public var content: String?
    /// The model's reasoning, from `reasoning_content` or `reasoning`.
    public var reasoning: String?
    /// The model's own words where it declined.
    public var refusal: String?
    public var toolCalls: [ToolCallDelta]
  }

  /// A piece of a tool call. Which call it belongs to follows from `id`, `index` or its place.
  public struct ToolCallDelta: Sendable, Hashable {
    public var index: Int?
    public var id: String?
    public var name: String?
    /// A piece of the arguments' JSON text.
    public var arguments: String?
  }

  /// True where a choice carries text, reasoning or a tool call.
  public var hasOutput: Bool {
    choices.contains { choice in
      let delta = choice.delta
      let texts = [delta.content, delta.reasoning, delta.refusal]
      return texts.contains { $0?.isEmpty == false } || !delta.toolCalls.isEmpty
    }
  }
}

extension ChatCompletionChunk {
  /// Lenient in what only goes with an answer. Text and tool calls are the answer: of another type
  /// than the protocol's they would be lost.
  ///
  /// - Throws: `protocol.badEventStream`, naming the field.
  init(_ value: JSONValue) throws(HybridError) {
    id = value["id"]?.string
    model = value["model"]?.string
    var choices: [Choice] = []
    for (place, choice) in try WireShape(value, code: .badEventStream)["choices"].list()
      .enumerated()
    {
      choices.append(try Choice(choice, at: place))
    }
    self.choices = choices
    usage = value["usage"].flatMap(Usage.init(wire:))
    raw = value
  }

  /// A whole completion as one piece: some gateways answer so though a stream was asked for.
  init(_ completion: ChatCompletion) {
    id = completion.id
    model = completion.model
    choices = completion.choices.map { choice in
      Choice(
        index: choice.index,
        delta: Delta(
          role: choice.message.role, content: choice.message.content,
          reasoning: choice.message.reasoning, refusal: choice.message.refusal,
          toolCalls: choice.message.toolCalls.enumerated().map { index, call in
            ToolCallDelta(index: index, id: call.id, name: call.name, arguments: call.arguments)
          }), finishReason: choice.finishReason, logProbs: choice.logProbs)
    }
    usage = completion.usage
    raw = completion.raw
  }
}

extension WireShape {
  /// What a choice adds. A few gateways send whole messages in their streams.
  var content: WireShape {
    let delta = self["delta"]
    return delta.isAbsent ? self["message"] : delta
  }
}

extension ChatCompletionChunk.Choice {
  /// - Parameter place: in its list, which is its index where it tells none.
  init(_ shape: WireShape, at place: Int) throws(HybridError) {
    let value = try shape.object().value
    index = value?["index"]?.int ?? place
    delta = try ChatCompletionChunk.Delta(shape.content)
    finishReason = value?["finish_reason"]?.string.flatMap(FinishReason.init(wire:))
    logProbs = TokenLogProb.list(wire: value?["logprobs"])
  }
}

extension ChatCompletionChunk.Delta {
  init(_ shape: WireShape) throws(HybridError) {
    toolCalls = []
    guard !shape.isAbsent else { return }
    let value = try shape.object().value
    role = value?["role"]?.string.map(ChatRole.init(rawValue:))
    content = try Self.text(shape["content"])
    // A sign of thought, not the answer: what cannot be read of it is left out.
    reasoning = (try? Self.text(shape["reasoning_content"])) ?? (try? Self.text(shape["reasoning"]))
    refusal = value?["refusal"]?.string
    for call in try shape["tool_calls"].list() {
      toolCalls.append(try ChatCompletionChunk.ToolCallDelta(call))
    }
  }

  /// A text, or the texts of a list of parts. Parts that are no text have none.
  private static func text(_ shape: WireShape) throws(HybridError) -> String? {
    if shape.isAbsent { return nil }
    if let text = shape.value?.string { return text }
    guard shape.value?.array != nil else { throw shape.wrongType("a text or a list of parts") }
    var text = ""
    for part in try shape.list() {
      if let plain = part.value?.string {
        text += plain
      } else if let inner = try part.object()["text"].string() {
        text += inner
      }
    }
    return text
  }
}

extension ChatCompletionChunk.ToolCallDelta {
  init(_ shape: WireShape) throws(HybridError) {
    let value = try shape.object().value
    index = value?["index"]?.int
    id = value?["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let inner = shape["function"]
    let function = inner.isAbsent ? shape : try inner.object()
    name = try function["name"].string().flatMap { $0.isEmpty ? nil : $0 }
    let arguments = function["arguments"]
    switch arguments.value {
    case .string(let text): self.arguments = text
    case .object(let object): self.arguments = JSONWriter.compact.string(.object(object))
    case nil, .null: self.arguments = nil
    default: throw arguments.wrongType("a text or an object")
    }
  }
}

extension FinishReason {
  /// The protocol's word in this library's spelling. Unknown words stay as they are; nil for none.
  init?(wire: String) {
    switch wire {
    case "": return nil
    case "tool_calls": self = .toolCalls
    case "content_filter": self = .contentFilter
    default: self.init(rawValue: wire)
    }
  }

  /// The word with which gateways end an answer that failed.
  static let error = FinishReason(rawValue: "error")
}

extension Usage {
  /// nil where neither count can be known. Counted only where both are: what stands in for the other
  /// is an estimate.
  init?(wire value: JSONValue) {
    let prompt = value["prompt_tokens"]?.tokenCount
    let completion = value["completion_tokens"]?.tokenCount
    guard prompt != nil || completion != nil else { return nil }
    let cached =
      value["prompt_tokens_details"]?["cached_tokens"]?.tokenCount
      ?? value["prompt_cache_hit_tokens"]?.tokenCount
    self.init(
      promptTokens: prompt, cachedTokens: cached, completionTokens: completion,
      counted: prompt != nil && completion != nil)
  }
}
