/// Text, output and blocks.
extension JinjaParser {
  /// Parses up to a block tag named in `ends` (left current), or to the end of the template.
  mutating func parseBody(until ends: [String]) throws(TemplateError) -> [JinjaStatement] {
    var body: [JinjaStatement] = []
    while true {
      let line = line
      switch current.kind {
      case .data(let text):
        body.append(JinjaStatement(kind: .text(text), line: line))
        advance()
      case .variableBegin:
        advance()
        let value = try parseTuple()
        guard case .variableEnd = current.kind else {
          throw error("the end of the output expected")
        }
        advance()
        body.append(JinjaStatement(kind: .output(value), line: line))
      case .blockBegin:
        advance()
        if case .name(let name) = current.kind, ends.contains(name) { return body }
        let kind = try nested { parser throws(TemplateError) in try parser.parseStatement() }
        try expectBlockEnd()
        if let kind { body.append(JinjaStatement(kind: kind, line: line)) }
      case .end:
        guard ends.isEmpty else {
          throw error("the template ends inside a block: '\(ends[ends.count - 1])' expected")
        }
        return body
      default: throw error("a tag expected")
      }
    }
  }

  /// Parses the rest of a block tag, its body, and the tag that ends it up to that tag's name.
  mutating func parseBlock(
    until ends: String..., isScope: Bool = true
  ) throws(TemplateError) -> [JinjaStatement] {
    _ = skip(.colon)
    try expectBlockEnd()
    let outer = isConditional
    isConditional = !isScope
    defer { isConditional = outer }
    return try parseBody(until: ends)
  }

  /// Parses a block tag from its name on; the end of the tag stays current.
  private mutating func parseStatement() throws(TemplateError) -> JinjaStatement.Kind? {
    let tag = try expectName()
    switch tag {
    case "if": return try parseIf()
    case "for": return try parseFor()
    case "set": return try parseSet()
    case "with": return try parseWith()
    case "macro": return try parseMacro()
    case "call": return try parseCallBlock()
    case "filter":
      let filters = try parseFilterChain(startsInline: true)
      let body = try parseBlock(until: "endfilter")
      try expect(name: "endfilter")
      return .filterBlock(filters, body)
    case "generation":
      let body = try parseInMacro { parser throws(TemplateError) in
        try parser.parseBlock(until: "endgeneration")
      }
      try expect(name: "endgeneration")
      return .generation(body.result)
    case "print": return .print(try parsePrint())
    case "break", "continue":
      guard loopDepth > 0 else { throw error("'\(tag)' outside of a loop") }
      return tag == "break" ? .leaveLoop : .nextTurn
    case "block", "extends", "import", "include", "from", "autoescape":
      throw TemplateError(.unsupported(construct: "the tag '\(tag)'"), line: line)
    default: throw error("unknown tag '\(tag)'")
    }
  }

  private mutating func parsePrint() throws(TemplateError) -> [JinjaExpression] {
    var values: [JinjaExpression] = []
    while current.kind != .blockEnd {
      if !values.isEmpty { try expect(.comma) }
      values.append(try parseExpression())
    }
    return values
  }

  private mutating func parseIf() throws(TemplateError) -> JinjaStatement.Kind {
    var branches: [JinjaBranch] = []
    var otherwise: [JinjaStatement] = []
    while true {
      let outer = isConditional
      isConditional = true
      let condition = try parseTuple(withConditional: false)
      isConditional = outer
      let body = try parseBlock(until: "elif", "else", "endif", isScope: false)
      branches.append(JinjaBranch(condition: condition, body: body))
      if skip(name: "elif") { continue }
      if skip(name: "else") { otherwise = try parseBlock(until: "endif", isScope: false) }
      try expect(name: "endif")
      return .branch(branches, otherwise: otherwise)
    }
  }

  private mutating func parseFor() throws(TemplateError) -> JinjaStatement.Kind {
    let target = try parseTarget(endingWith: "in")
    try expect(name: "in")
    let sequence = try parseTuple(withConditional: false, endingWith: "recursive")
    let condition: JinjaExpression? = skip(name: "if") ? try parseExpression() : nil
    let isRecursive = skip(name: "recursive")
    loopDepth += 1
    let mentionsBefore = loopMentions
    let body = try parseBlock(until: "endfor", "else")
    let loopVariable = loopMentions > mentionsBefore ? symbols.symbol("loop") : nil
    loopDepth -= 1
    var otherwise: [JinjaStatement] = []
    if skip(name: "else") { otherwise = try parseBlock(until: "endfor") }
    try expect(name: "endfor")
    return .loop(
      JinjaLoopStatement(
        target: target, sequence: sequence, condition: condition, isRecursive: isRecursive,
        loopVariable: loopVariable, body: body, otherwise: otherwise))
  }

  private mutating func parseSet() throws(TemplateError) -> JinjaStatement.Kind {
    let target = try parseTarget(allowingAttribute: true)
    if skip(.assign) { return .set(target, try parseTuple()) }
    let filters = try parseFilterChain(startsInline: false)
    let body = try parseBlock(until: "endset")
    try expect(name: "endset")
    return .setBlock(target, filters, body)
  }

  private mutating func parseWith() throws(TemplateError) -> JinjaStatement.Kind {
    var pairs: [(target: JinjaTarget, value: JinjaExpression)] = []
    while current.kind != .blockEnd {
      if !pairs.isEmpty { try expect(.comma) }
      let target = try parseTarget()
      try expect(.assign)
      pairs.append((target, try parseExpression()))
    }
    let body = try parseBlock(until: "endwith")
    try expect(name: "endwith")
    return .with(pairs, body)
  }

  /// Parses what can be assigned to: a name, several, or where allowed a namespace's attribute.
  private mutating func parseTarget(
    endingWith end: String? = nil, allowingAttribute: Bool = false
  ) throws(TemplateError) -> JinjaTarget {
    var targets: [JinjaTarget] = []
    var isTuple = false
    while true {
      if !targets.isEmpty {
        try expect(.comma)
        isTuple = true
        if isSymbol(.assign) || isSymbol(.rightParenthesis) { break }
        if let end, isName(end) { break }
      }
      if skip(.leftParenthesis) {
        let inner = try nested { parser throws(TemplateError) in try parser.parseTarget() }
        try expect(.rightParenthesis)
        targets.append(inner)
      } else {
        let name = try expectName()
        guard !["true", "false", "none", "True", "False", "None"].contains(name) else {
          throw error("'\(name)' cannot be assigned to")
        }
        if allowingAttribute, skip(.dot) {
          targets.append(
            .attribute(mention(name), TemplateString(try expectName())))
        } else {
          targets.append(.name(symbols.intern(name)))
        }
      }
      guard isSymbol(.comma) else { break }
    }
    return isTuple ? .tuple(targets) : targets[0]
  }

  // MARK: Macros

  private mutating func parseMacro() throws(TemplateError) -> JinjaStatement.Kind {
    let name = symbols.intern(try expectName())
    return .macro(try parseMacroBody(name: name, until: "endmacro"))
  }

  private mutating func parseCallBlock() throws(TemplateError) -> JinjaStatement.Kind {
    var signature = Signature()
    if isSymbol(.leftParenthesis) { signature = try parseSignature() }
    let callee = try parseExpression()
    guard case .call = callee.kind else { throw error("a call expected") }
    let name = symbols.intern("caller")
    return .call(try parseMacroBody(name: name, signature: signature, until: "endcall"), callee)
  }

  private struct Signature {
    var parameters: [JinjaSymbol] = []
    var defaults: [JinjaExpression] = []
  }

  private mutating func parseSignature() throws(TemplateError) -> Signature {
    var signature = Signature()
    try expect(.leftParenthesis)
    while !isSymbol(.rightParenthesis) {
      if !signature.parameters.isEmpty { try expect(.comma) }
      signature.parameters.append(symbols.intern(try expectName()))
      if skip(.assign) {
        signature.defaults.append(try parseExpression())
      } else if !signature.defaults.isEmpty {
        throw error("a parameter without a default follows one with a default")
      }
    }
    try expect(.rightParenthesis)
    return signature
  }

  private mutating func parseMacroBody(
    name: JinjaSymbol, signature: Signature? = nil, until end: String
  ) throws(TemplateError) -> JinjaMacroStatement {
    let parsed = try parseInMacro { parser throws(TemplateError) in
      var own = signature
      if own == nil { own = try parser.parseSignature() }
      return (own ?? Signature(), try parser.parseBlock(until: end))
    }
    try expect(name: end)
    let (signature, body) = parsed.result
    func uses(_ special: String) -> Bool {
      guard parsed.uses.contains(special), let symbol = symbols.symbol(special) else {
        return false
      }
      return !signature.parameters.contains(symbol)
    }
    return JinjaMacroStatement(
      name: name, parameters: signature.parameters, defaults: signature.defaults, body: body,
      usesCaller: uses("caller"), usesVarargs: uses("varargs"), usesKwargs: uses("kwargs"))
  }

  /// Parses what runs as a function of its own: loops outside of it do not reach in.
  private mutating func parseInMacro<R>(
    _ body: (inout JinjaParser) throws(TemplateError) -> R
  ) throws(TemplateError) -> (result: R, uses: Set<String>) {
    let outerLoops = loopDepth
    loopDepth = 0
    macroUses.append([])
    defer { loopDepth = outerLoops }
    let result = try body(&self)
    let uses = macroUses.removeLast()
    // What an inner macro mentions, the outer one accepts too.
    if !macroUses.isEmpty { macroUses[macroUses.count - 1].formUnion(uses) }
    return (result, uses)
  }

  /// The symbol of a name that is read, noted for the macros around it.
  mutating func mention(_ name: String) -> JinjaSymbol {
    switch name {
    case "loop": loopMentions += 1
    case "caller", "varargs", "kwargs":
      if !macroUses.isEmpty { macroUses[macroUses.count - 1].insert(name) }
    default: break
    }
    return symbols.intern(name)
  }
}
