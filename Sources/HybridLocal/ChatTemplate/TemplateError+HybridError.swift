package import HybridCore

extension HybridError {
  /// What a caller sees of a template that cannot be rendered: `templateRejected`.
  package init(_ error: TemplateError) {
    let nextStep =
      switch error.kind {
      case .raised: "Change the conversation as the template asks, or use another model"
      case .runtime: "Look at that line of the template, or use another model file"
      case .unsupported, .syntax: "Use another model file: this one can take no conversation"
      case .budget: "Shorten the conversation, or use a model file from a source you trust"
      }
    self.init(
      .templateRejected, error.sentence, nextStep: nextStep,
      details: ["line": .int(error.line), "kind": .string(error.kindName)], side: .local,
      underlying: error)
  }

  /// Of a template that wrote nothing: there is nothing that a model could go on from.
  static var emptyPrompt: HybridError {
    HybridError(
      .templateRejected, "the model's chat template writes nothing for this conversation",
      nextStep: "Use another model file", details: ["kind": "empty"], side: .local)
  }
}
