/// Literals, names, and what follows them: subscripts, calls, filters, tests.
extension JinjaParser {
  mutating func parsePrimary() throws(TemplateError) -> JinjaExpression {
    let line = line
    switch current.kind {
    case .name(let name):
      advance()
      switch name {
      case "true", "True": return try make(.bool(true), line: line)
      case "false", "False": return try make(.bool(false), line: line)
      case "none", "None": return try make(.none, line: line)
      default: return try make(.name(mention(name)), line: line)
      }
    case .string(var text):
      advance()
      while case .string(let more) = current.kind {
        text.append(more)
        advance()
      }
      return try make(.string(text), line: line)
    case .integer(let value):
      advance()
      return try make(.int(value), line: line)
    case .float(let value):
      advance()
      return try make(.float(value), line: line)
    case .symbol(.leftParenthesis):
      advance()
      let value = try parseTuple(inParentheses: true)
      try expect(.rightParenthesis)
      return value
    case .symbol(.leftBracket): return try parseList()
    case .symbol(.leftBrace): return try parseDict()
    default: throw error("an expression expected")
    }
  }

  private mutating func parseList() throws(TemplateError) -> JinjaExpression {
    let line = line
    try expect(.leftBracket)
    var items: [JinjaExpression] = []
    while !isSymbol(.rightBracket) {
      if !items.isEmpty { try expect(.comma) }
      if isSymbol(.rightBracket) { break }
      items.append(try parseExpression())
    }
    try expect(.rightBracket)
    return try make(.list(items), line: line, over: items)
  }

  private mutating func parseDict() throws(TemplateError) -> JinjaExpression {
    let line = line
    try expect(.leftBrace)
    var pairs: [(key: JinjaExpression, value: JinjaExpression)] = []
    while !isSymbol(.rightBrace) {
      if !pairs.isEmpty { try expect(.comma) }
      if isSymbol(.rightBrace) { break }
      let key = try parseExpression()
      try expect(.colon)
      pairs.append((key, try parseExpression()))
    }
    try expect(.rightBrace)
    return try make(.dict(pairs), line: line, over: pairs.flatMap { [$0.key, $0.value] })
  }

  /// Subscripts and calls.
  mutating func parsePostfix(_ value: JinjaExpression) throws(TemplateError) -> JinjaExpression {
    var value = value
    while true {
      let line = line
      switch current.kind {
      case .symbol(.dot):
        advance()
        switch current.kind {
        case .name(let name):
          advance()
          value = try make(.attribute(value, JinjaMemberName(name)), line: line, over: value)
        case .integer(let index):
          advance()
          let index = try make(.int(index), line: line)
          value = try make(.item(value, index), line: line, over: value)
        default: throw error("a name or number expected")
        }
      case .symbol(.leftBracket): value = try parseSubscript(of: value)
      case .symbol(.leftParenthesis): value = try parseCall(of: value)
      default: return value
      }
    }
  }

  private mutating func parseCall(of value: JinjaExpression) throws(TemplateError)
    -> JinjaExpression
  {
    let line = line
    let arguments = try parseArguments()
    return try make(.call(value, arguments), line: line, over: [value] + arguments.expressions)
  }

  /// `[index]`, `[a, b]` or `[start:stop:step]`
  private mutating func parseSubscript(
    of value: JinjaExpression
  ) throws(TemplateError) -> JinjaExpression {
    let line = line
    try expect(.leftBracket)
    var indices: [JinjaExpression] = []
    while !isSymbol(.rightBracket) {
      if !indices.isEmpty { try expect(.comma) }
      let start: JinjaExpression? = isSymbol(.colon) ? nil : try parseExpression()
      if let start, !isSymbol(.colon) {
        indices.append(start)
        continue
      }
      guard indices.isEmpty else {
        throw TemplateError(.unsupported(construct: "a slice among other indices"), line: line)
      }
      return try parseSlice(of: value, start: start, line: line)
    }
    try expect(.rightBracket)
    let index =
      indices.count == 1 ? indices[0] : try make(.tuple(indices), line: line, over: indices)
    return try make(.item(value, index), line: line, over: value, index)
  }

  private mutating func parseSlice(
    of value: JinjaExpression, start: JinjaExpression?, line: Int
  ) throws(TemplateError) -> JinjaExpression {
    try expect(.colon)
    let stop: JinjaExpression? =
      isSymbol(.colon) || isSymbol(.rightBracket) ? nil : try parseExpression()
    var step: JinjaExpression?
    if skip(.colon), !isSymbol(.rightBracket) { step = try parseExpression() }
    if isSymbol(.comma) {
      throw TemplateError(.unsupported(construct: "a slice among other indices"), line: line)
    }
    try expect(.rightBracket)
    return try make(
      .slice(value, start: start, stop: stop, step: step), line: line,
      over: value, start, stop, step)
  }

  mutating func parseArguments() throws(TemplateError) -> JinjaCallArguments {
    var arguments = JinjaCallArguments()
    try expect(.leftParenthesis)
    var isFirst = true
    while !isSymbol(.rightParenthesis) {
      if !isFirst {
        try expect(.comma)
        if isSymbol(.rightParenthesis) { break }
      }
      isFirst = false
      let takesNoMore = arguments.splat != nil || arguments.keywordSplat != nil
      if skip(.multiply) {
        guard !takesNoMore else { throw error("a second '*' in a call") }
        arguments.splat = try parseExpression()
      } else if skip(.power) {
        guard arguments.keywordSplat == nil else { throw error("a second '**' in a call") }
        arguments.keywordSplat = try parseExpression()
      } else if case .name(let name) = current.kind, next.kind == .symbol(.assign) {
        guard arguments.keywordSplat == nil else { throw error("a named argument behind '**'") }
        advance()
        advance()
        arguments.keywords.append((TemplateString(name), try parseExpression()))
      } else {
        guard !takesNoMore, arguments.keywords.isEmpty else {
          throw error("a plain argument behind a named one")
        }
        arguments.positional.append(try parseExpression())
      }
    }
    try expect(.rightParenthesis)
    return arguments
  }

  // MARK: Filters and tests

  mutating func parseFiltersAndTests(
    _ value: JinjaExpression
  ) throws(TemplateError) -> JinjaExpression {
    var value = value
    while true {
      let line = line
      if isSymbol(.pipe) {
        advance()
        let filter = try parseFilterUse()
        value = try make(
          .filter(value, filter), line: line, over: [value] + filter.arguments.expressions)
      } else if isName("is") {
        advance()
        value = try parseTest(of: value, line: line)
      } else if isSymbol(.leftParenthesis) {
        value = try parseCall(of: value)
      } else {
        return value
      }
    }
  }

  /// The filters of a set or filter block, the first of which may stand without its bar.
  mutating func parseFilterChain(startsInline: Bool) throws(TemplateError) -> [JinjaFilterUse] {
    var filters: [JinjaFilterUse] = []
    if startsInline { filters.append(try parseFilterUse()) }
    while skip(.pipe) { filters.append(try parseFilterUse()) }
    return filters
  }

  private mutating func parseFilterUse() throws(TemplateError) -> JinjaFilterUse {
    let line = line
    let name = try parseDottedName()
    let arguments = isSymbol(.leftParenthesis) ? try parseArguments() : JinjaCallArguments()
    let implementation = JinjaFilter.named(name)
    if implementation == nil { noteUnknown("the filter '\(name)'", line: line) }
    return JinjaFilterUse(
      name: name, implementation: implementation, arguments: arguments, line: line)
  }

  private mutating func noteUnknown(_ construct: String, line: Int) {
    if isConditional || unknownUse != nil { return }
    unknownUse = TemplateError(.unsupported(construct: construct), line: line)
  }

  private mutating func parseDottedName() throws(TemplateError) -> String {
    var name = try expectName()
    while skip(.dot) { name += "." + (try expectName()) }
    return name
  }

  private mutating func parseTest(
    of value: JinjaExpression, line: Int
  ) throws(TemplateError) -> JinjaExpression {
    let isNegated = skip(name: "not")
    let name = try parseDottedName()
    var arguments = JinjaCallArguments()
    if isSymbol(.leftParenthesis) {
      arguments = try parseArguments()
    } else if startsTestArgument {
      if isName("is") { throw error("tests cannot be chained with 'is'") }
      let argument = try nested { parser throws(TemplateError) in
        try parser.parsePostfix(try parser.parsePrimary())
      }
      arguments.positional = [argument]
    }
    let implementation = JinjaTest.named(name)
    if implementation == nil { noteUnknown("the test '\(name)'", line: line) }
    let use = JinjaTestUse(
      name: name, implementation: implementation, arguments: arguments, line: line)
    let test = try make(.test(value, use), line: line, over: [value] + arguments.expressions)
    return isNegated ? try make(.not(test), line: line, over: test) : test
  }

  /// Whether a test's argument stands here without parentheses.
  private var startsTestArgument: Bool {
    switch current.kind {
    case .name(let name): !["else", "or", "and"].contains(name)
    case .string, .integer, .float, .symbol(.leftBracket), .symbol(.leftBrace): true
    default: false
    }
  }
}

extension JinjaCallArguments {
  /// All expressions in it.
  var expressions: [JinjaExpression] {
    positional + keywords.map(\.value) + [splat, keywordSplat].compactMap { $0 }
  }
}
