package import HybridCore

/// From the SDK's own conversation to what chat templates expect.
extension TemplateContext {
  /// - Parameters:
  ///   - tools: definitions; none at all for a conversation without tools.
  ///   - bosToken: the text of the vocabulary's BOS token, empty where it has none.
  ///   - eosToken: the same for EOS.
  ///   - now: what `strftime_now` tells.
  package init(
    messages: [ChatMessage], tools: [ToolDefinition] = [], addGenerationPrompt: Bool = true,
    bosToken: String, eosToken: String, now: TemplateDate,
    variables: [(name: String, value: TemplateValue)] = []
  ) {
    self.init(
      messages: messages.map(TemplateValue.init),
      tools: tools.isEmpty ? nil : tools.map(TemplateValue.init),
      addGenerationPrompt: addGenerationPrompt, bosToken: bosToken, eosToken: eosToken, now: now,
      variables: variables)
  }
}

extension TemplateValue {
  /// A word of our own, which no user can choose.
  private static func word(_ text: String) -> TemplateValue {
    .string(text, origin: .template)
  }

  package init(_ message: ChatMessage) {
    if message.content.count == 1, case .text(let text) = message.content[0], message.name == nil,
      message.toolCalls.isEmpty, message.toolCallID == nil
    {
      self = .message(message.role, content: text)
      return
    }
    var entries: [(key: String, value: TemplateValue)] = [
      ("role", .role(message.role)), ("content", Self.content(of: message)),
    ]
    if let name = message.name { entries.append(("name", .content(name))) }
    if !message.toolCalls.isEmpty {
      entries.append(("tool_calls", .list(message.toolCalls.map(TemplateValue.init))))
    }
    if let id = message.toolCallID { entries.append(("tool_call_id", .content(id))) }
    self = .dict(entries)
  }

  /// Text alone is a plain string: many templates know nothing else.
  private static func content(of message: ChatMessage) -> TemplateValue {
    let isText = message.content.allSatisfy { if case .text = $0 { true } else { false } }
    if isText { return .content(message.text) }
    return .list(
      message.content.map { part in
        switch part {
        case .text(let text): .dict([("type", word("text")), ("text", .content(text))])
        case .image(let url): .dict([("type", word("image")), ("url", .content(url))])
        }
      })
  }

  /// Arguments that are a JSON object are given as one: templates write them in their own way.
  private init(_ call: ToolCall) {
    var arguments = TemplateValue.content(call.arguments)
    if let parsed = try? JSONReader.wire.read(call.arguments), parsed.object != nil {
      arguments = TemplateValue(parsed)
    }
    self = .dict([
      ("id", .content(call.id)), ("type", Self.word("function")),
      ("function", .dict([("name", .content(call.name)), ("arguments", arguments)])),
    ])
  }

  package init(_ tool: ToolDefinition) {
    var function: [(key: String, value: TemplateValue)] = [("name", .content(tool.name))]
    if let description = tool.description {
      function.append(("description", .content(description)))
    }
    if let parameters = tool.parameters {
      function.append(("parameters", TemplateValue(parameters)))
    }
    self = .dict([("type", Self.word("function")), ("function", .dict(function))])
  }

  /// JSON as content. A whole number beyond 64 bits becomes the nearest floating-point one.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .none
    case .bool(let value): self = .bool(value)
    case .number(let number):
      if let whole = Int(number.literal) {
        self = .int(whole)
      } else {
        self = .float(number.double ?? .infinity)
      }
    case .string(let text): self = .content(text)
    case .array(let items): self = .list(items.map(TemplateValue.init))
    case .object(let object):
      self = .dict(object.members.map { ($0.key, TemplateValue($0.value)) })
    }
  }
}
