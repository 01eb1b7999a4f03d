/// Runs a parsed template.
///
/// One interpreter runs one render: it holds what is left of the budget, and the output so far.
final class JinjaInterpreter {
  let symbols: JinjaSymbolTable
  /// The time that `strftime_now` tells.
  let now: TemplateDate
  private let budget: TemplateBudget
  private var stepsLeft: Int
  private var nesting = 0
  /// The line being run, for errors.
  var line = 1
  /// Where output goes: the prompt, or the text of a macro or block being captured.
  private(set) var output = TemplateString()

  init(symbols: JinjaSymbolTable, budget: TemplateBudget, now: TemplateDate) {
    self.symbols = symbols
    self.budget = budget
    self.now = now
    stepsLeft = budget.steps
  }

  /// Steps taken so far.
  var stepsTaken: Int { budget.steps - stepsLeft }

  // MARK: Budget

  /// Takes steps off the budget.
  func spend(_ steps: Int) throws(TemplateError) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw fail(.budget(.steps)) }
  }

  /// Accounts for text about to be made: it takes steps, and no string may outgrow the budget.
  func reserve(bytes: Int) throws(TemplateError) {
    if bytes > budget.size { throw fail(.budget(.size)) }
    try spend(bytes >> 6)
  }

  /// Accounts for a collection about to be made.
  func reserve(elements: Int) throws(TemplateError) {
    if elements > stepsLeft { throw fail(.budget(.steps)) }
    try spend(elements)
  }

  /// Goes one level deeper; `leave` must follow.
  func enter() throws(TemplateError) {
    nesting += 1
    if nesting > budget.nesting { throw fail(.budget(.nesting)) }
    try spend(1)
  }

  func leave() {
    nesting -= 1
  }

  // MARK: Errors

  func fail(_ kind: TemplateError.Kind) -> TemplateError {
    TemplateError(kind, line: line)
  }

  /// An operation that fails in Jinja as well.
  func fail(_ what: String) -> TemplateError {
    fail(.runtime(what))
  }

  func unsupported(_ construct: String) -> TemplateError {
    fail(.unsupported(construct: construct))
  }

  // MARK: Output

  func emit(_ text: TemplateString) throws(TemplateError) {
    guard output.count + text.count <= budget.size else { throw fail(.budget(.size)) }
    try spend(text.count >> 6)
    output.append(text)
  }

  /// What `body` writes, as a string.
  func capture(_ body: () throws(TemplateError) -> Void) throws(TemplateError) -> TemplateString {
    let outer = output
    output = TemplateString()
    defer { output = outer }
    try body()
    return output
  }

  /// `str()` of a value.
  func text(of value: JinjaValue) throws(TemplateError) -> TemplateString {
    if case .string(let text) = value { return text }
    guard let text = value.asText else {
      throw unsupported("the text of a value of type \(value.typeName)")
    }
    try reserve(bytes: text.count)
    return text
  }
}
