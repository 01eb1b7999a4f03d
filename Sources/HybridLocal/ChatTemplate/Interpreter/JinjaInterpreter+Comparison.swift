/// Python's comparisons. Each pair compared is a step: collections may share parts, so that
/// comparing them can take far longer than building them.
extension JinjaInterpreter {
  /// Python's `==`.
  func areEqual(_ left: JinjaValue, _ right: JinjaValue) throws(TemplateError) -> Bool {
    try spend(1)
    switch (left, right) {
    case (.undefined, .undefined), (.none, .none): return true
    case (.string(let a), .string(let b)):
      try spend(min(a.count, b.count) >> 6)
      return a == b
    case (.bool, .bool), (.bool, .int), (.int, .bool), (.int, .int):
      return left.integer == right.integer
    case (.float, .float), (.float, .int), (.int, .float), (.float, .bool), (.bool, .float):
      return left.number == right.number
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)):
      guard a.count == b.count else { return false }
      return try firstDifference(a, b) == nil
    case (.dict(let a), .dict(let b)):
      guard a.entries.count == b.entries.count else { return false }
      for entry in a.entries {
        guard let other = b.value(for: entry.key), try areEqual(entry.value, other) else {
          return false
        }
      }
      return true
    case (.range(let a), .range(let b)):
      return a.count == b.count && (a.count == 0 || a.start == b.start)
        && (a.count <= 1 || a.step == b.step)
    case (.namespace(let a), .namespace(let b)): return a === b
    case (.loop(let a), .loop(let b)): return a === b
    case (.generator(let a), .generator(let b)): return a === b
    case (.callable(.macro(let a)), .callable(.macro(let b))): return a === b
    default: return false
    }
  }

  /// The first place where two sequences differ, up to the end of the shorter one.
  private func firstDifference(
    _ left: JinjaItems, _ right: JinjaItems
  ) throws(TemplateError) -> Int? {
    for (place, pair) in zip(left, right).enumerated() where !(try areEqual(pair.0, pair.1)) {
      return place
    }
    return nil
  }

  /// Python's `<`; nil where it raises TypeError.
  func isLess(_ left: JinjaValue, _ right: JinjaValue) throws(TemplateError) -> Bool? {
    try spend(1)
    switch (left, right) {
    case (.string(let a), .string(let b)):
      try spend(min(a.count, b.count) >> 6)
      return a < b
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)):
      guard let place = try firstDifference(a, b) else { return a.count < b.count }
      return try isLess(a[place], b[place])
    default:
      if let a = left.integer, let b = right.integer { return a < b }
      if let a = left.number, let b = right.number { return a < b }
      return nil
    }
  }

  /// Whether a comparison of the template holds.
  func holds(
    _ operation: JinjaComparison, _ left: JinjaValue, _ right: JinjaValue
  ) throws(TemplateError) -> Bool {
    switch operation {
    case .equal: return try areEqual(left, right)
    case .notEqual: return !(try areEqual(left, right))
    case .less: return try isLess(left, right, operation)
    case .greater: return try isLess(right, left, operation)
    // Not the opposite of the other order: NaN is neither.
    case .lessOrEqual:
      if try isLess(left, right, operation) { return true }
      return try areEqual(left, right)
    case .greaterOrEqual:
      if try isLess(right, left, operation) { return true }
      return try areEqual(left, right)
    case .isIn: return try contains(right, left)
    case .isNotIn: return !(try contains(right, left))
    }
  }

  private func isLess(
    _ left: JinjaValue, _ right: JinjaValue, _ operation: JinjaComparison
  ) throws(TemplateError) -> Bool {
    guard let result = try isLess(left, right) else {
      throw fail("'\(operation.rawValue)' does not work between \(typeNames(left, right))")
    }
    return result
  }

  func typeNames(_ left: JinjaValue, _ right: JinjaValue) -> String {
    "\(left.typeName) and \(right.typeName)"
  }

  /// Python's `in`.
  private func contains(
    _ container: JinjaValue, _ item: JinjaValue
  ) throws(TemplateError) -> Bool {
    switch container {
    case .string(let text):
      guard case .string(let part) = item else {
        throw fail("only a string can be in a string, not \(item.typeName)")
      }
      try search(text, for: part)
      return text.contains(part)
    case .dict(let dict):
      guard JinjaKey(item) != nil else {
        throw fail("a value of type \(item.typeName) cannot be a key")
      }
      return dict.value(for: item) != nil
    default:
      guard let iterator = JinjaIterator(container) else {
        throw fail("a value of type \(container.typeName) holds nothing")
      }
      while let next = iterator.next() {
        if try areEqual(next, item) { return true }
      }
      return false
    }
  }
}
