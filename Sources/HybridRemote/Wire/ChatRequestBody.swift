internal import HybridCore

/// A request ▶ the JSON body of a chat completion.
enum ChatRequestBody {
  /// What the body depends on beside the request.
  struct Settings: Sendable, Hashable {
    /// Sent where the request names no model; nil: the field is left out.
    var model: String?
    var profile: ServerProfile
    var isStream: Bool
    var asksForUsage: Bool
  }

  static func json(_ request: ChatRequest, _ settings: Settings) -> JSONValue {
    var body = JSONObject()
    body["model"] = (request.model ?? settings.model).map { .string($0) }
    body["messages"] = .array(request.messages.map(message))
    add(request.sampling, to: &body, settings.profile)
    if let count = request.topLogProbs {
      body["logprobs"] = true
      // llama-server takes a 0 for none at all. Left out, it sends 20, which are cut off again.
      if count > 0 { body["top_logprobs"] = .int(count) }
    }
    body[settings.profile.maxTokensField] = request.maxTokens.map { .int($0) }
    if !request.stop.isEmpty { body["stop"] = .array(request.stop.map { .string($0) }) }
    if request.choices > 1 { body["n"] = .int(request.choices) }
    if !request.tools.isEmpty { body["tools"] = .array(request.tools.map(tool)) }
    for member in request.extraFields.members { body[member.key] = member.value }
    body["stream"] = .bool(settings.isStream)
    if settings.isStream, settings.asksForUsage {
      body["stream_options"] = ["include_usage": true]
    }
    return .object(body)
  }

  private static func add(
    _ sampling: Sampling, to body: inout JSONObject, _ profile: ServerProfile
  ) {
    body["temperature"] = sampling.temperature.map { .double($0) }
    body["top_p"] = sampling.topP.map { .double($0) }
    body["top_k"] = sampling.topK.map { .int($0) }
    body["min_p"] = sampling.minP.map { .double($0) }
    body["seed"] = sampling.drawSeed.map { .int(Int($0)) }
    for field in profile.repetitionPenaltyFields {
      body[field] = sampling.repetitionPenalty.map { .double($0) }
    }
    // Known to llama-server alone.
    body["repeat_last_n"] = sampling.penaltyWindow.map { .int($0) }
    body["presence_penalty"] = sampling.presencePenalty.map { .double($0) }
    body["frequency_penalty"] = sampling.frequencyPenalty.map { .double($0) }
    if !sampling.logitBias.isEmpty {
      var biases = JSONObject()
      for (token, bias) in sampling.logitBias.sorted(by: { $0.key < $1.key }) {
        biases["\(token)"] = .double(bias)
      }
      body["logit_bias"] = .object(biases)
    }
  }

  private static func message(_ message: ChatMessage) -> JSONValue {
    var object: JSONObject = ["role": .string(message.role.rawValue)]
    object["content"] = content(message)
    object["name"] = message.name.map { .string($0) }
    if !message.toolCalls.isEmpty {
      object["tool_calls"] = .array(
        message.toolCalls.map { call in
          [
            "id": .string(call.id), "type": "function",
            "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
          ]
        })
    }
    object["tool_call_id"] = message.toolCallID.map { .string($0) }
    return .object(object)
  }

  /// One text where there are only texts: every gateway takes that, not every one takes parts.
  private static func content(_ message: ChatMessage) -> JSONValue {
    let isText = message.content.allSatisfy { if case .text = $0 { true } else { false } }
    if isText {
      let isCallOnly = message.content.isEmpty && !message.toolCalls.isEmpty
      return isCallOnly ? .null : .string(message.text)
    }
    return .array(
      message.content.map { part in
        switch part {
        case .text(let text): ["type": "text", "text": .string(text)]
        case .image(let url): ["type": "image_url", "image_url": ["url": .string(url)]]
        }
      })
  }

  private static func tool(_ tool: ToolDefinition) -> JSONValue {
    var function: JSONObject = ["name": .string(tool.name)]
    function["description"] = tool.description.map { .string($0) }
    function["parameters"] = tool.parameters
    return ["type": "function", "function": .object(function)]
  }
}
