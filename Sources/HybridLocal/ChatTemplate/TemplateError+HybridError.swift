package import HybridCore

extension HybridError {
  /// What a caller sees of a template that cannot be rendered: `templateRejected`.
  package init(_ error: TemplateError) {
    let nextStep =
      switch error.kind {
      case .raised: "Change the conversation as the template asks, or use another model"
      case .unsupported, .syntax, .runtime: "Use another model file for this conversation"
      case .budget: "Shorten the conversation, or use a model file from a source you trust"
      }
    self.init(
      .templateRejected, error.sentence, nextStep: nextStep,
      details: ["line": .int(error.line), "kind": .string(error.kindName)], side: .local,
      underlying: error)
  }
}
