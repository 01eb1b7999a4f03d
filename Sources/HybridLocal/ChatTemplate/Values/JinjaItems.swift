/// The items of a list, tuple or view, with how deep they are nested.
///
/// Whoever walks a value, and whoever frees it, recurses as deep as it is nested: values that would
/// exhaust the stack are refused when they are stored.
struct JinjaItems: RandomAccessCollection {
  let array: [JinjaValue]
  let nesting: Int

  init(_ array: [JinjaValue]) {
    self.array = array
    nesting = JinjaValue.nesting(over: array)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { array.count }
  subscript(index: Int) -> JinjaValue { array[index] }
}

extension JinjaValue {
  /// Deeper values are refused. Python's `repr` and `json.dumps` give up at about a thousand.
  static let deepest = 200

  /// Levels of containers in it: 0 for a string or number.
  var nesting: Int {
    switch self {
    case .list(let items), .tuple(let items), .view(_, let items): items.nesting
    case .dict(let dict): dict.nesting
    case .generator(let generator): generator.nesting
    case .loop(let loop): loop.iterator.nesting + 1
    case .callable(.method(let bound)): bound.receiver.nesting + 1
    case .callable(.loopMethod(let loop, _)): loop.iterator.nesting + 2
    // Namespaces and scopes of macros are kept to the end of a render, then emptied one by one.
    case .namespace, .callable: 0
    case .undefined, .none, .bool, .int, .float, .string, .range: 0
    }
  }

  static func nesting(over items: some Sequence<JinjaValue>) -> Int {
    var deepest = 0
    for item in items { deepest = Swift.max(deepest, item.nesting) }
    return deepest + 1
  }

  static func list(_ items: [JinjaValue]) -> JinjaValue { .list(JinjaItems(items)) }
  static func tuple(_ items: [JinjaValue]) -> JinjaValue { .tuple(JinjaItems(items)) }
  static func view(name: String, _ items: [JinjaValue]) -> JinjaValue {
    .view(name: name, JinjaItems(items))
  }
}
