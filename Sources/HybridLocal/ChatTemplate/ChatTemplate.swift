/// A model's own chat template, ready to be rendered: `tokenizer.chat_template` of its file.
///
/// The language is Jinja with the settings and additions that chat templates are written for
/// (`trim_blocks`, `lstrip_blocks`, loop controls, `raise_exception`, `strftime_now`, the
/// `generation` tag, `tojson` with its JSON arguments), in the immutable sandbox: no template can
/// change what it is given.
package struct ChatTemplate: Sendable {
  private let parsed: JinjaParser.Result

  /// Parses a template, once for all renders.
  ///
  /// - Throws: `.syntax`; `.unsupported` for a tag, or an unknown filter or test outside of a
  ///   branch; `.budget` for source that is too long or nested too deeply.
  package init(source: String) throws(TemplateError) {
    parsed = try JinjaParser.parse(source)
  }

  /// Renders a prompt.
  ///
  /// - Parameter budget: by default the one for the conversation's size.
  /// - Throws: `TemplateError`: the template refuses the conversation, fails, uses what is not
  ///   supported, or costs too much.
  package func render(
    _ context: TemplateContext, budget: TemplateBudget? = nil
  ) throws(TemplateError) -> RenderedPrompt {
    try measuredRender(context, budget: budget).prompt
  }

  /// As `render`, with the steps that it took.
  package func measuredRender(
    _ context: TemplateContext, budget: TemplateBudget? = nil
  ) throws(TemplateError) -> (prompt: RenderedPrompt, steps: Int) {
    let bytes = context.textBytes
    let interpreter = JinjaInterpreter(
      symbols: parsed.symbols,
      budget: budget ?? .standard(messages: context.messages.count, bytes: bytes),
      expectedBytes: bytes + 32 * context.messages.count, now: context.now)
    defer { interpreter.tearDown() }
    let globals = JinjaScope(parent: nil)
    for name in parsed.symbols.names {
      guard let symbol = parsed.symbols.symbol(name) else { continue }
      if let variable = context.value(of: name) {
        globals.set(symbol, to: JinjaValue(variable))
      } else if let value = JinjaFunction.global(name) {
        globals.set(symbol, to: value)
      }
    }
    _ = try interpreter.run(parsed.body, in: JinjaScope(parent: globals))
    return (RenderedPrompt(interpreter.output), interpreter.stepsTaken)
  }
}
