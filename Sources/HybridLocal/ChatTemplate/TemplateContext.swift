package import HybridCore

/// A variable that a template is given.
package enum TemplateValue: Sendable {
  case none
  case bool(Bool)
  case int(Int)
  case float(Double)
  case string(String, origin: TextOrigin)
  case list([TemplateValue])
  case dict([(key: String, value: TemplateValue)])
  /// A dictionary of `role` and `content`, as nearly all messages are: made with little work.
  case message(ChatRole, content: String)
  case role(ChatRole)

  /// Text of the conversation.
  package static func content(_ text: String) -> TemplateValue {
    .string(text, origin: .content)
  }
}

/// What a template is rendered over.
package struct TemplateContext: Sendable {
  /// The conversation: dictionaries with `role`, `content` and so on.
  package var messages: [TemplateValue]
  /// Tool definitions; nil where there are none.
  package var tools: [TemplateValue]?
  /// Whether the prompt ends where the assistant's answer begins.
  package var addGenerationPrompt: Bool
  /// The text of the vocabulary's first and last token. They are part of the template.
  package var bosToken: String
  package var eosToken: String
  /// What `strftime_now` tells.
  package var now: TemplateDate
  /// Other variables, such as `enable_thinking`; one named as a variable above replaces it.
  package var variables: [(name: String, value: TemplateValue)]

  package init(
    messages: [TemplateValue], tools: [TemplateValue]? = nil, addGenerationPrompt: Bool = true,
    bosToken: String = "", eosToken: String = "", now: TemplateDate,
    variables: [(name: String, value: TemplateValue)] = []
  ) {
    self.messages = messages
    self.tools = tools
    self.addGenerationPrompt = addGenerationPrompt
    self.bosToken = bosToken
    self.eosToken = eosToken
    self.now = now
    self.variables = variables
  }

  /// The value of a variable, nil where it is not given.
  func value(of name: String) -> TemplateValue? {
    if let variable = variables.last(where: { $0.name == name }) { return variable.value }
    return switch name {
    case "messages": .list(messages)
    case "tools": tools.map(TemplateValue.list) ?? TemplateValue.none
    case "add_generation_prompt": .bool(addGenerationPrompt)
    case "bos_token": .string(bosToken, origin: .template)
    case "eos_token": .string(eosToken, origin: .template)
    default: nil
    }
  }

  /// Bytes of text in the conversation and the tools.
  var textBytes: Int {
    messages.reduce(0) { $0 + $1.textBytes } + (tools ?? []).reduce(0) { $0 + $1.textBytes }
  }
}

extension TemplateValue {
  /// Bytes of text in it.
  fileprivate var textBytes: Int {
    switch self {
    case .none, .bool, .int, .float: 8
    case .string(let text, _): text.utf8.count
    case .list(let items): items.reduce(0) { $0 + $1.textBytes }
    case .dict(let entries): entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
    case .role(let role): role.rawValue.utf8.count
    case .message(let role, let content): 11 + role.rawValue.utf8.count + content.utf8.count
    }
  }
}

extension JinjaValue {
  /// A variable as the interpreter holds it. Its numbers and keys are content, as its strings are.
  ///
  /// - Parameter messageKeys: those of a message of text alone, which all messages of a list share.
  init(_ value: TemplateValue, messageKeys: [JinjaValue] = JinjaDict.messageKeys) {
    switch value {
    case .none: self = .none
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value, .content)
    case .float(let value): self = .float(value)
    case .string(let text, let origin): self = .string(TemplateString(text, origin: origin))
    case .list(let items):
      self = .list(items.map { JinjaValue($0, messageKeys: messageKeys) })
    case .dict(let entries):
      let pairs = entries.map { entry in
        (
          key: JinjaValue.string(.key(entry.key)),
          value: JinjaValue(entry.value, messageKeys: messageKeys)
        )
      }
      self = JinjaDict(pairs).map(JinjaValue.dict) ?? .none
    case .role(let role): self = .string(.role(role))
    case .message(let role, let content):
      self = .dict(
        JinjaDict(
          keys: messageKeys,
          values: [.string(.role(role)), .string(TemplateString(content, origin: .content))],
          names: JinjaDict.messageNames))
    }
  }
}

extension TemplateString {
  /// A key of a dictionary, whose text is content.
  fileprivate static func key(_ text: String) -> TemplateString {
    switch text {
    case "role": roleKey
    case "content": contentKey
    default: TemplateString(text, origin: .content)
    }
  }

  /// A known role may become part of a special token, as in `<|user|>`; one that a caller made up
  /// may not.
  fileprivate static func role(_ role: ChatRole) -> TemplateString {
    switch role {
    case .user: user
    case .assistant: assistant
    case .system, .developer, .tool: TemplateString(role.rawValue)
    default: TemplateString(role.rawValue, origin: .content)
    }
  }

  // Those of each message, made once.
  fileprivate static let roleKey = TemplateString("role", origin: .content)
  fileprivate static let contentKey = TemplateString("content", origin: .content)
  private static let user = TemplateString("user")
  private static let assistant = TemplateString("assistant")
}

extension JinjaDict {
  fileprivate static let messageNames = [
    TemplateString.roleKey.bytes, TemplateString.contentKey.bytes,
  ]

  static var messageKeys: [JinjaValue] { [.string(.roleKey), .string(.contentKey)] }
}
