/// A method: a function of the value that it belongs to and the arguments.
typealias JinjaMethod =
  @Sendable (JinjaInterpreter, JinjaValue, JinjaArguments) throws(TemplateError) -> JinjaValue

/// The methods of one of Python's types.
///
/// All its names are here: one that exists but is not supported must still pass `is defined`.
struct JinjaMethodTable: Sendable {
  var methods: [String: JinjaMethod]
  /// Change the value, which the sandbox forbids.
  var forbidden: Set<String> = []
  /// Exist in Python, but not here.
  var unsupported: Set<String> = []

  /// Whether it says something of a name, other than that there is no such member.
  func has(_ name: String) -> Bool {
    methods[name] != nil || forbidden.contains(name) || unsupported.contains(name)
      || Self.isPrivate(name)
  }

  /// Python's own names, which the sandbox hides.
  static func isPrivate(_ name: String) -> Bool { name.hasPrefix("__") && name.hasSuffix("__") }

  static func table(for value: JinjaValue) -> JinjaMethodTable? {
    switch value {
    case .string: string
    case .dict: dict
    case .list: list
    case .tuple, .range: tuple
    default: nil
    }
  }

  private static let string = JinjaMethodTable(
    methods: StringMethods.table,
    unsupported: [
      "casefold", "encode", "expandtabs", "format_map", "isascii", "isidentifier", "isprintable",
      "istitle", "maketrans", "swapcase", "translate",
    ])

  static let dict = JinjaMethodTable(
    methods: CollectionMethods.dict,
    forbidden: ["clear", "pop", "popitem", "setdefault", "update"], unsupported: ["fromkeys"])

  private static let list = JinjaMethodTable(
    methods: CollectionMethods.list,
    forbidden: ["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"])

  private static let tuple = JinjaMethodTable(methods: CollectionMethods.tuple)
}
