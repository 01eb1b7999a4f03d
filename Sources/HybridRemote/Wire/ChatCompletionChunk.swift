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
  /// Lenient: what is missing, null or of another type than expected counts as absent.
  init(_ value: JSONValue) {
    id = value["id"]?.string
    model = value["model"]?.string
    choices = (value["choices"]?.array ?? []).map(Choice.init)
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
          }), finishReason: choice.finishReason)
    }
    usage = completion.usage
    raw = completion.raw
  }
}

extension ChatCompletionChunk.Choice {
  init(_ value: JSONValue) {
    index = value["index"]?.int ?? 0
    // A few gateways send whole messages in their streams.
    delta = ChatCompletionChunk.Delta(value["delta"] ?? value["message"] ?? .null)
    finishReason = value["finish_reason"]?.string.flatMap(FinishReason.init(wire:))
  }
}

extension ChatCompletionChunk.Delta {
  init(_ value: JSONValue) {
    role = value["role"]?.string.map(ChatRole.init(rawValue:))
    content = value["content"].flatMap(Self.text)
    reasoning = (value["reasoning_content"] ?? value["reasoning"]).flatMap(Self.text)
    if reasoning == nil { reasoning = value["reasoning"].flatMap(Self.text) }
    refusal = value["refusal"]?.string
    toolCalls = (value["tool_calls"]?.array ?? []).map(ChatCompletionChunk.ToolCallDelta.init)
  }

  /// A text, or the texts of a list of parts.
  private static func text(_ value: JSONValue) -> String? {
    if let text = value.string { return text }
    guard let parts = value.array else { return nil }
    return parts.compactMap { $0.string ?? $0["text"]?.string }.joined()
  }
}

extension ChatCompletionChunk.ToolCallDelta {
  init(_ value: JSONValue) {
    index = value["index"]?.int
    id = value["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let function = value["function"] ?? value
    name = function["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    switch function["arguments"] {
    case .string(let text): arguments = text
    case .object(let object): arguments = JSONWriter.compact.string(.object(object))
    default: arguments = nil
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
  /// nil where neither count is given.
  init?(wire value: JSONValue) {
    let prompt = value["prompt_tokens"]?.int
    let completion = value["completion_tokens"]?.int
    guard prompt != nil || completion != nil else { return nil }
    let cached =
      value["prompt_tokens_details"]?["cached_tokens"]?.int
      ?? value["prompt_cache_hit_tokens"]?.int
    self.init(
      promptTokens: prompt, cachedTokens: cached, completionTokens: completion, counted: true)
  }
}
