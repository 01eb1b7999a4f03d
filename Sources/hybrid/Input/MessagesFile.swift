internal import HybridCore

/// A conversation from a file: a list of chat messages, or an object with `messages` and `tools`.
///
/// The fields are those of the chat-completions protocol. One that cannot be passed on is refused by
/// name: none is ever ignored.
struct MessagesFile: Sendable, Hashable {
  var messages: [ChatMessage]
  var tools: [ToolDefinition]

  /// - Parameter name: what errors call the file.
  /// - Throws: `invalidFile` with line and column, and with the field's path where the JSON itself is
  ///   sound.
  init(_ text: String, name: String) throws(HybridError) {
    let file = try JSONFileDecoder(name: name).decode(File.self, from: text)
    messages = file.messages.map(\.message)
    tools = file.tools.map(\.tool)
    if messages.isEmpty {
      throw HybridError(
        .invalidFile, "\(name) holds no message",
        nextStep: #"write at least [{"role": "user", "content": "…"}]"#,
        details: ["file": .string(name)])
    }
  }
}

/// Either form of the file.
private struct File: Decodable {
  enum Key: String, CodingKey, CaseIterable {
    case messages, tools
  }

  let messages: [Message]
  let tools: [Tool]

  init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      messages = try [Message](from: decoder)
      tools = []
      return
    }
    try decoder.refuseUnknownKeys(known: Key.self)
    let fields = try decoder.container(keyedBy: Key.self)
    messages = try fields.decode([Message].self, forKey: .messages)
    tools = try fields.decodeIfPresent([Tool].self, forKey: .tools) ?? []
  }
}

private struct Message: Decodable {
  enum Key: String, CodingKey, CaseIterable {
    case role, content, name
    case toolCalls = "tool_calls"
    case toolCallID = "tool_call_id"
  }

  let message: ChatMessage

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(known: Key.self)
    let fields = try decoder.container(keyedBy: Key.self)
    let role = try fields.decode(String.self, forKey: .role)
    if role.isEmpty { throw fields.invalidField("is empty", forKey: .role) }
    let calls = try fields.decodeIfPresent([Call].self, forKey: .toolCalls) ?? []
    // An assistant that only made calls said nothing, and its content is null or left out.
    let content =
      calls.isEmpty
      ? try fields.decode(Content.self, forKey: .content)
      : try fields.decodeIfPresent(Content.self, forKey: .content)
    message = ChatMessage(
      role: ChatRole(rawValue: role), content: content?.parts ?? [],
      name: try fields.decodeIfPresent(String.self, forKey: .name),
      toolCalls: calls.map(\.call),
      toolCallID: try fields.decodeIfPresent(String.self, forKey: .toolCallID))
  }
}

/// A text, or a list of parts.
private struct Content: Decodable {
  let parts: [ContentPart]

  init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      parts = try [Part](from: decoder).map(\.part)
    } else {
      parts = [.text(try decoder.singleValueContainer().decode(String.self))]
    }
  }
}

private struct Part: Decodable {
  enum Key: String, CodingKey, CaseIterable {
    case type, text
    case imageURL = "image_url"
  }

  enum Kind: String, Decodable, CaseIterable {
    case text
    case image = "image_url"
  }

  struct Image: Decodable {
    enum Key: String, CodingKey, CaseIterable {
      case url
    }

    let url: String

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownKeys(known: Key.self)
      url = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .url)
    }
  }

  let part: ContentPart

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(known: Key.self)
    let fields = try decoder.container(keyedBy: Key.self)
    part =
      switch try fields.decode(Kind.self, forKey: .type) {
      case .text: .text(try fields.decode(String.self, forKey: .text))
      case .image: .image(url: try fields.decode(Image.self, forKey: .imageURL).url)
      }
  }
}

/// The only kind of tool and of call that the protocol has.
private enum ToolKind: String, Decodable, CaseIterable {
  case function
}

private struct Call: Decodable {
  enum Key: String, CodingKey, CaseIterable {
    case id, type, function
  }

  enum FunctionKey: String, CodingKey, CaseIterable {
    case name, arguments
  }

  let call: ToolCall

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(known: Key.self)
    let fields = try decoder.container(keyedBy: Key.self)
    _ = try fields.decodeIfPresent(ToolKind.self, forKey: .type)
    try fields.superDecoder(forKey: .function).refuseUnknownKeys(known: FunctionKey.self)
    let function = try fields.nestedContainer(keyedBy: FunctionKey.self, forKey: .function)
    call = ToolCall(
      id: try fields.decode(String.self, forKey: .id),
      name: try function.decode(String.self, forKey: .name),
      arguments: try function.decode(String.self, forKey: .arguments))
  }
}

private struct Tool: Decodable {
  enum Key: String, CodingKey, CaseIterable {
    case type, function
  }

  enum FunctionKey: String, CodingKey, CaseIterable {
    case name, description, parameters
  }

  let tool: ToolDefinition

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownKeys(known: Key.self)
    let fields = try decoder.container(keyedBy: Key.self)
    _ = try fields.decodeIfPresent(ToolKind.self, forKey: .type)
    try fields.superDecoder(forKey: .function).refuseUnknownKeys(known: FunctionKey.self)
    let function = try fields.nestedContainer(keyedBy: FunctionKey.self, forKey: .function)
    tool = ToolDefinition(
      name: try function.decode(String.self, forKey: .name),
      description: try function.decodeIfPresent(String.self, forKey: .description),
      parameters: try function.decodeIfPresent(JSONValue.self, forKey: .parameters))
  }
}
