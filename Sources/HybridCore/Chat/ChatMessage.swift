/// One message of a conversation.
public struct ChatMessage: Sendable, Hashable {
  public var role: ChatRole
  public var content: [ContentPart]

  /// The author's name, where several share a role.
  public var name: String?

  /// The calls that an assistant message made.
  public var toolCalls: [ToolCall]

  /// On a tool message: the call that it answers.
  public var toolCallID: String?

  public init(
    role: ChatRole, content: [ContentPart], name: String? = nil, toolCalls: [ToolCall] = [],
    toolCallID: String? = nil
  ) {
    self.role = role
    self.content = content
    self.name = name
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
  }

  public static func system(_ text: String) -> ChatMessage {
    ChatMessage(role: .system, content: [.text(text)])
  }

  public static func user(_ text: String) -> ChatMessage {
    ChatMessage(role: .user, content: [.text(text)])
  }

  public static func assistant(_ text: String) -> ChatMessage {
    ChatMessage(role: .assistant, content: [.text(text)])
  }

  /// The text parts, joined without anything between them.
  public var text: String {
    if content.count == 1, case .text(let text) = content[0] { return text }
    return content.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

/// Who speaks. Open: a gateway may know more roles than these.
public struct ChatRole: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let system = ChatRole(rawValue: "system")
  public static let developer = ChatRole(rawValue: "developer")
  public static let user = ChatRole(rawValue: "user")
  public static let assistant = ChatRole(rawValue: "assistant")
  public static let tool = ChatRole(rawValue: "tool")
}

/// A piece of a message.
public enum ContentPart: Sendable, Hashable {
  case text(String)
  /// An image by its URL, `https:` or `data:`.
  case image(url: String)
}
