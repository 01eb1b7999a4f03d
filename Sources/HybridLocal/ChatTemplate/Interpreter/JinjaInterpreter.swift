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
  private var keptScopes: [JinjaScope] = []
  private var keptNamespaces: [JinjaNamespace] = []
  /// The line being run, for errors.
  var line = 1
  /// Where output goes: the prompt, or the text of a macro or block being captured.
  private(set) var output = TemplateString()

  /// - Parameter expectedBytes: of output, more or less: room is made for them beforehand.
  init(symbols: JinjaSymbolTable, budget: TemplateBudget, expectedBytes: Int, now: TemplateDate) {
    self.symbols = symbols
    self.budget = budget
    self.now = now
    stepsLeft = budget.steps
    output.reserve(min(expectedBytes, budget.size))
  }

  /// Steps taken so far.
  var stepsTaken: Int { budget.steps - stepsLeft }

  // MARK: Budget

  /// Takes steps off the budget.
  func spend(_ steps: Int) throws(TemplateError) {
    stepsLeft -= steps
    if stepsLeft < 0 { throw fail(.budget(.steps)) }
  }

  /// Accounts for text about to be copied: it takes steps, and no string may outgrow the budget.
  func reserve(bytes: Int) throws(TemplateError) {
    try checkSize(bytes)
    try spend(bytes >> 6)
  }

  /// Refuses a string of more bytes than the budget allows.
  func checkSize(_ bytes: Int) throws(TemplateError) {
    if bytes > budget.size { throw fail(.budget(.size)) }
  }

  /// Accounts for text about to be gone through code point by code point, which is slower.
  func scan(bytes: Int) throws(TemplateError) {
    try checkSize(bytes)
    try spend(bytes >> 3)
  }

  /// Accounts for a search, which at worst compares the whole pattern at every place.
  func search(_ text: TemplateString, for part: TemplateString) throws(TemplateError) {
    let (cost, overflow) = (text.count >> 6).multipliedReportingOverflow(by: 1 + part.count >> 3)
    try spend(overflow ? Int.max / 2 : cost)
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

  // MARK: Memory

  /// Keeps a scope to the end of the render: something in it may lead back to it.
  func keep(_ scope: JinjaScope) {
    keptScopes.append(scope)
  }

  func keep(_ namespace: JinjaNamespace) {
    keptNamespaces.append(namespace)
  }

  /// Breaks all cycles, and every chain too long to be freed at once. Must follow each render.
  func tearDown() {
    for scope in keptScopes { scope.removeAll() }
    for namespace in keptNamespaces { namespace.removeAll() }
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

  /// Takes back what was written behind the first `count` bytes.
  func takeOutput(from count: Int) -> TemplateString {
    let text = output[count..<output.count]
    output.truncate(to: count)
    return text
  }

  /// What `body` writes, as a string.
  func capture(_ body: () throws(TemplateError) -> Void) throws(TemplateError) -> TemplateString {
    let outer = output
    output = TemplateString()
    defer { output = outer }
    try body()
    return output
  }
}
