/// Tokens ▶ statements.
struct JinjaParser {
  private let tokens: [JinjaToken]
  private var position = 0
  var symbols = JinjaSymbolTable()
  /// Levels of recursion, so that deep source is refused before the stack ends.
  private var nesting = 0
  /// Loops around the current statement inside of the innermost macro.
  var loopDepth = 0
  /// How often the name `loop` was read so far.
  var loopMentions = 0
  /// Which special names each enclosing macro mentions, innermost last.
  var macroUses: [Set<String>] = []
  /// Whether the code here may never run, so that an unknown filter is an error only when it does.
  var isConditional = false
  /// The first unknown filter or test that is an error whether it runs or not.
  var unknownUse: TemplateError?

  /// A parsed template.
  struct Result: Sendable {
    var body: [JinjaStatement]
    var symbols: JinjaSymbolTable
  }

  /// Parses a whole template.
  static func parse(_ source: String) throws(TemplateError) -> Result {
    guard source.utf8.count <= TemplateBudget.sourceSize else {
      throw TemplateError(.budget(.source), line: 1)
    }
    var parser = JinjaParser(tokens: try JinjaLexer.tokens(of: source))
    let body = try parser.parseBody(until: [])
    if let unknownUse = parser.unknownUse { throw unknownUse }
    return Result(body: body, symbols: parser.symbols)
  }

  private init(tokens: [JinjaToken]) {
    self.tokens = tokens
  }

  // MARK: Tokens

  var current: JinjaToken { tokens[position] }
  var next: JinjaToken { tokens[min(position + 1, tokens.count - 1)] }
  var line: Int { tokens[position].line }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  func isSymbol(_ symbol: JinjaToken.Symbol) -> Bool {
    if case .symbol(symbol) = tokens[position].kind { true } else { false }
  }

  func isName(_ name: String) -> Bool {
    if case .name(name) = tokens[position].kind { true } else { false }
  }

  mutating func skip(_ symbol: JinjaToken.Symbol) -> Bool {
    guard isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(name: String) -> Bool {
    guard isName(name) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: JinjaToken.Symbol) throws(TemplateError) {
    guard skip(symbol) else { throw error("'\(symbol.rawValue)' expected") }
  }

  mutating func expect(name: String) throws(TemplateError) {
    guard skip(name: name) else { throw error("'\(name)' expected") }
  }

  mutating func expectBlockEnd() throws(TemplateError) {
    guard case .blockEnd = current.kind else { throw error("the end of the tag expected") }
    advance()
  }

  mutating func expectName() throws(TemplateError) -> String {
    guard case .name(let name) = current.kind else { throw error("a name expected") }
    advance()
    return name
  }

  func error(_ what: String) -> TemplateError {
    TemplateError(.syntax(what), line: line)
  }

  // MARK: Limits

  /// Runs `body` one level deeper.
  mutating func nested<R>(
    _ body: (inout JinjaParser) throws(TemplateError) -> R
  ) throws(TemplateError) -> R {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= TemplateBudget.sourceNesting else {
      throw TemplateError(.budget(.nesting), line: line)
    }
    return try body(&self)
  }

  /// Makes an expression, refusing one that is too deep to be walked.
  func make(
    _ kind: JinjaExpression.Kind, line: Int, over children: JinjaExpression?...
  ) throws(TemplateError) -> JinjaExpression {
    try make(kind, line: line, over: children.compactMap { $0 })
  }

  func make(
    _ kind: JinjaExpression.Kind, line: Int, over children: [JinjaExpression]
  ) throws(TemplateError) -> JinjaExpression {
    var depth = 0
    for child in children { depth = max(depth, child.depth) }
    guard depth < TemplateBudget.sourceNesting else {
      throw TemplateError(.budget(.nesting), line: line)
    }
    return JinjaExpression(kind: kind, line: line, depth: depth + 1)
  }
}
