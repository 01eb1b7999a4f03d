/// A function that the model may ask for.
public struct ToolDefinition: Sendable, Hashable {
  public var name: String
  public var description: String?

  /// The arguments' JSON Schema.
  public var parameters: JSONValue?

  public init(name: String, description: String? = nil, parameters: JSONValue? = nil) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }
}

/// A whole call that the model made. Unfinished calls are never given out.
public struct ToolCall: Sendable, Hashable {
  public var id: String
  public var name: String

  /// The arguments as the model wrote them: JSON text.
  public var arguments: String

  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}
