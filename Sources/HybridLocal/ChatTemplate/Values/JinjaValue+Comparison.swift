/// Python's comparisons.
extension JinjaValue {
  /// Collections nested deeper than this compare as different: nothing real comes near.
  private static let deepest = 200

  /// Python's `==`.
  static func areEqual(_ left: JinjaValue, _ right: JinjaValue, depth: Int = 0) -> Bool {
    if depth > deepest { return false }
    switch (left, right) {
    case (.undefined, .undefined), (.none, .none): return true
    case (.string(let a), .string(let b)): return a == b
    case (.bool, .bool), (.bool, .int), (.int, .bool), (.int, .int):
      return left.integer == right.integer
    case (.float, .float), (.float, .int), (.int, .float), (.float, .bool), (.bool, .float):
      return left.number == right.number
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)):
      guard a.count == b.count else { return false }
      return zip(a, b).allSatisfy { areEqual($0, $1, depth: depth + 1) }
    case (.dict(let a), .dict(let b)):
      guard a.entries.count == b.entries.count else { return false }
      return a.entries.allSatisfy { entry in
        guard let other = b.value(for: entry.key) else { return false }
        return areEqual(entry.value, other, depth: depth + 1)
      }
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

  /// Python's `<`; nil where it raises TypeError.
  static func isLess(_ left: JinjaValue, _ right: JinjaValue, depth: Int = 0) -> Bool? {
    if depth > deepest { return nil }
    switch (left, right) {
    case (.string(let a), .string(let b)): return a < b
    case (.list(let a), .list(let b)), (.tuple(let a), .tuple(let b)):
      for (x, y) in zip(a, b) where !areEqual(x, y) { return isLess(x, y, depth: depth + 1) }
      return a.count < b.count
    default:
      if let a = left.integer, let b = right.integer { return a < b }
      if let a = left.number, let b = right.number { return a < b }
      return nil
    }
  }
}
