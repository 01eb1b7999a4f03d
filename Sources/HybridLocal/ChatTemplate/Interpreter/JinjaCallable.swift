/// What can be called.
enum JinjaCallable {
  case macro(JinjaMacro)
  case function(JinjaFunction)
  case method(JinjaBoundMethod)
  /// `loop.cycle` or `loop.changed`
  case loopMethod(JinjaLoop, String)
  /// Exists in Jinja, but not here: may be tested for, not called.
  case unsupported(String)
}

/// A macro with the scope that it was defined in.
final class JinjaMacro {
  let statement: JinjaMacroStatement
  let scope: JinjaScope

  init(_ statement: JinjaMacroStatement, scope: JinjaScope) {
    self.statement = statement
    self.scope = scope
  }
}

/// A method with the value that it belongs to.
final class JinjaBoundMethod {
  let receiver: JinjaValue
  let name: String
  let method: JinjaMethod

  init(receiver: JinjaValue, name: String, method: @escaping JinjaMethod) {
    self.receiver = receiver
    self.name = name
    self.method = method
  }
}
