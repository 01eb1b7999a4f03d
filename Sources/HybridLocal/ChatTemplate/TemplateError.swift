/// Why a chat template could not be parsed or rendered.
///
/// No text here comes from a message: names and values are quoted only where they stand in the
/// template itself.
package struct TemplateError: Error, Equatable, Sendable {
  /// What went wrong.
  package enum Kind: Equatable, Sendable {
    /// The template is valid Jinja, but uses something this renderer does not have.
    case unsupported(construct: String)
    /// The template is not valid Jinja.
    case syntax(String)
    /// The template itself refused, through `raise_exception`.
    ///
    /// `nil` where the message holds anything but the template's own text.
    case raised(message: String?)
    /// An operation that fails in Jinja too: an attribute of something undefined, a wrong type.
    case runtime(String)
    /// The render used up one of its limits.
    case budget(TemplateBudget.Limit)
  }

  package var kind: Kind
  /// The line in the template, counted from 1.
  package var line: Int

  package init(_ kind: Kind, line: Int) {
    self.kind = kind
    self.line = line
  }
}

extension TemplateError: CustomStringConvertible {
  package var description: String { "\(sentence)." }

  /// What happened, in one sentence without prompt content and without its full stop.
  package var sentence: String {
    let cause =
      switch kind {
      case .unsupported(let construct): "it uses \(construct), which is not supported"
      case .syntax(let what): "it is not valid Jinja: \(what)"
      case .raised(let message?): "it refuses this conversation: \(message.prefix(1_000))"
      case .raised(nil): "it refuses this conversation"
      case .runtime(let what): what
      case .budget(let limit): "it exceeds the limit on \(limit.description)"
      }
    return "the model's chat template failed at line \(line): \(cause)"
  }

  /// The kind in one word.
  package var kindName: String {
    switch kind {
    case .unsupported: "unsupported"
    case .syntax: "syntax"
    case .raised: "raised"
    case .runtime: "runtime"
    case .budget: "budget"
    }
  }
}
