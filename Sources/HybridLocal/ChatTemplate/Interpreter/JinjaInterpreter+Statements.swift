/// Statements.
extension JinjaInterpreter {
  /// How a run of statements ended.
  enum Flow {
    /// At its end.
    case finished
    /// At a `break`.
    case leaveLoop
    /// At a `continue`.
    case nextTurn
  }

  func run(_ statements: [JinjaStatement], in scope: JinjaScope) throws(TemplateError) -> Flow {
    // A span lends its elements: no reference is counted for one that is only looked at.
    let statements = statements.span
    for place in statements.indices {
      line = statements[place].line
      let flow: Flow
      switch statements[place].kind {
      case .text(let text):
        try spend(1)
        try emit(text)
        continue
      case .output(let expression):
        if case .sum(let parts) = expression.kind {
          try emit(parts, line: expression.line, in: scope)
          continue
        }
        try emit(try text(of: try evaluate(expression, in: scope)))
        continue
      case .set(let target, let expression):
        try assign(try evaluate(expression, in: scope), to: target, in: scope)
        continue
      case .leaveLoop: return .leaveLoop
      case .nextTurn: return .nextTurn
      default:
        try enter()
        defer { leave() }
        flow = try runBlock(statements[place], in: scope)
      }
      if flow != .finished { return flow }
    }
    return .finished
  }

  private func runBlock(
    _ statement: JinjaStatement, in scope: JinjaScope
  ) throws(TemplateError) -> Flow {
    switch statement.kind {
    case .branch(let branches, let otherwise):
      // No scope of its own: what is set in a branch stays set behind it.
      let branches = branches.span
      for place in branches.indices
      where try evaluate(branches[place].condition, in: scope).isTrue {
        return try run(branches[place].body, in: scope)
      }
      return try run(otherwise, in: scope)
    case .loop(let loop):
      let sequence = try evaluate(loop.sequence, in: scope)
      return try runLoop(loop, over: sequence, depth: 0, in: scope)
    case .setBlock(let target, let filters, let body):
      let text = try capture { () throws(TemplateError) in
        _ = try run(body, in: JinjaScope(parent: scope))
      }
      try assign(try apply(filters, to: .string(text), in: scope), to: target, in: scope)
    case .filterBlock(let filters, let body):
      let text = try capture { () throws(TemplateError) in
        _ = try run(body, in: JinjaScope(parent: scope))
      }
      try emit(try self.text(of: try apply(filters, to: .string(text), in: scope)))
    case .with(let pairs, let body):
      let inner = JinjaScope(parent: scope)
      for pair in pairs {
        try assign(try evaluate(pair.value, in: scope), to: pair.target, in: inner)
      }
      return try run(body, in: inner)
    case .macro(let macro):
      keep(scope)
      scope.set(macro.name, to: .callable(.macro(JinjaMacro(macro, scope: scope))))
    case .call(let body, let callee):
      try runCallBlock(body, callee: callee, in: scope)
    case .generation(let body):
      _ = try run(body, in: JinjaScope(parent: scope))
    case .print(let values):
      for value in values { try emit(try text(of: try evaluate(value, in: scope))) }
    case .text, .output, .set, .leaveLoop, .nextTurn: break
    }
    return .finished
  }

  private func runCallBlock(
    _ body: JinjaMacroStatement, callee: JinjaExpression, in scope: JinjaScope
  ) throws(TemplateError) {
    guard case .call(let function, let arguments) = callee.kind else { return }
    let value = try evaluate(function, in: scope)
    var evaluated = try evaluate(arguments, in: scope)
    keep(scope)
    let caller = JinjaMacro(body, scope: scope)
    evaluated.keywords.append((TemplateString("caller"), .callable(.macro(caller))))
    try emit(try text(of: try call(value, evaluated)))
  }

  private func apply(
    _ filters: [JinjaFilterUse], to value: JinjaValue, in scope: JinjaScope
  ) throws(TemplateError) -> JinjaValue {
    var value = value
    for filter in filters { value = try apply(filter, to: value, in: scope) }
    return value
  }

  // MARK: Loops

  func runLoop(
    _ statement: JinjaLoopStatement, over sequence: JinjaValue, depth: Int, in scope: JinjaScope
  ) throws(TemplateError) -> Flow {
    if case .string(let text) = sequence { try reserve(elements: text.count) }
    guard let iterator = JinjaIterator(sequence) else {
      throw fail("a value of type \(sequence.typeName) cannot be looped over")
    }
    let loop = makeLoop(statement, iterator: iterator, depth: depth, scope: scope)
    var hasFinishedTurn = false
    var inner = JinjaScope(parent: scope)
    while let item = try loop.advance() {
      try spend(1)
      // Each turn starts afresh: what is set in one is gone in the next. Only where a macro kept
      // the last turn's scope is a new one needed.
      if isKnownUniquelyReferenced(&inner) {
        inner.removeAll()
      } else {
        inner = JinjaScope(parent: scope)
      }
      if let symbol = statement.loopVariable { inner.set(symbol, to: .loop(loop)) }
      try assign(item, to: statement.target, in: inner)
      let flow = try run(statement.body, in: inner)
      if flow == .leaveLoop { break }
      if flow == .finished { hasFinishedTurn = true }
    }
    // As in Jinja, 'else' also follows turns that all ended in a 'break' or 'continue'.
    if hasFinishedTurn { return .finished }
    return try run(statement.otherwise, in: JinjaScope(parent: scope))
  }

  private func makeLoop(
    _ statement: JinjaLoopStatement, iterator: JinjaIterator, depth: Int, scope: JinjaScope
  ) -> JinjaLoop {
    if statement.condition != nil || statement.isRecursive { keep(scope) }
    var condition: ((JinjaValue) throws(TemplateError) -> Bool)?
    if let expression = statement.condition {
      condition = { item throws(TemplateError) in
        let inner = JinjaScope(parent: scope)
        try self.assign(item, to: statement.target, in: inner)
        return try self.evaluate(expression, in: inner).isTrue
      }
    }
    var recurse: ((JinjaValue, Int) throws(TemplateError) -> TemplateString)?
    if statement.isRecursive {
      recurse = { items, depth throws(TemplateError) in
        try self.enter()
        defer { self.leave() }
        return try self.capture { () throws(TemplateError) in
          _ = try self.runLoop(statement, over: items, depth: depth, in: scope)
        }
      }
    }
    return JinjaLoop(
      iterator: iterator, depth: depth, isSeen: statement.loopVariable != nil,
      condition: condition, recurse: recurse)
  }

  // MARK: Assignment

  /// Refuses to store what is nested too deeply; one expression alone cannot nest without end.
  func checkNesting(of value: JinjaValue) throws(TemplateError) {
    if value.nesting > JinjaValue.deepest { throw fail(.budget(.nesting)) }
  }

  func assign(
    _ value: JinjaValue, to target: JinjaTarget, in scope: JinjaScope
  ) throws(TemplateError) {
    try spend(1)
    try checkNesting(of: value)
    switch target {
    case .name(let symbol): scope.set(symbol, to: value)
    case .attribute(let symbol, let name):
      guard case .namespace(let namespace)? = scope.value(of: symbol) else {
        throw fail("'\(symbols.name(of: symbol))' is no namespace, so nothing can be set in it")
      }
      namespace[name] = value
    case .tuple(let targets):
      if case .string(let text) = value { try reserve(elements: text.count) }
      guard let iterator = JinjaIterator(value) else {
        throw fail("a value of type \(value.typeName) cannot be taken apart")
      }
      var items: [JinjaValue] = []
      while items.count <= targets.count, let item = iterator.next() { items.append(item) }
      guard items.count == targets.count else {
        throw fail("\(targets.count) values expected on the right of an assignment")
      }
      for (target, item) in zip(targets, items) { try assign(item, to: target, in: scope) }
    }
  }
}
