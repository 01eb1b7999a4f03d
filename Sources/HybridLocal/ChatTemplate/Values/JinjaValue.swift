/// A value while a template runs.
///
/// Lists and dictionaries never change once made: the sandbox that chat templates are written for
/// refuses every method that would change them. Only a namespace can be written to.
enum JinjaValue {
  case undefined(Undefined)
  case none
  case bool(Bool)
  /// A whole number; its digits are content where it came from the conversation.
  case int(Int, TextOrigin)
  case float(Double)
  case string(TemplateString)
  case list(JinjaItems)
  case tuple(JinjaItems)
  case dict(JinjaDict)
  case range(JinjaRange)
  /// What `dict.keys()`, `.values()` and `.items()` give: has a length, but no index.
  case view(name: String, JinjaItems)
  /// What lazy filters give: can be gone through once.
  case generator(JinjaGenerator)
  case namespace(JinjaNamespace)
  case loop(JinjaLoop)
  case callable(JinjaCallable)

  /// Why something is undefined, in words of the template alone.
  enum Undefined {
    case variable(String)
    /// An attribute or element of a value of a type; its name only where the template wrote it.
    case member(TemplateString?, ofType: String)
    /// The sandbox forbids this attribute: it may be tested for, but not used.
    case forbidden(String, ofType: String)
    case other(String)

    /// What is not there, as the subject of a sentence.
    var what: String {
      switch self {
      case .variable(let name): "'\(name)'"
      case .member(let name?, let type): "'\(name.text)' of a value of type \(type)"
      case .member(nil, let type): "an element of a value of type \(type)"
      case .forbidden(let name, let type): "'\(name)' of a value of type \(type)"
      case .other(let what): what
      }
    }
  }

  static func undefined(_ what: String) -> JinjaValue {
    .undefined(.other(what))
  }

  static func string(_ text: String, _ origin: TextOrigin = .template) -> JinjaValue {
    .string(TemplateString(text, origin: origin))
  }

  static func int(_ value: Int) -> JinjaValue {
    .int(value, .template)
  }
}

extension JinjaValue {
  /// Python's truth of a value.
  var isTrue: Bool {
    switch self {
    case .undefined, .none: false
    case .bool(let value): value
    case .int(let value, _): value != 0
    case .float(let value): value != 0
    case .string(let value): !value.isEmpty
    case .list(let items), .tuple(let items), .view(_, let items): !items.isEmpty
    case .dict(let dict): !dict.entries.isEmpty
    case .range(let range): range.count > 0
    case .loop(let loop): loop.knownLength != 0
    case .generator, .namespace, .callable: true
    }
  }

  /// The name that Python gives its type, for error texts.
  var typeName: String {
    switch self {
    case .undefined: "Undefined"
    case .none: "NoneType"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "str"
    case .list: "list"
    case .tuple: "tuple"
    case .dict: "dict"
    case .range: "range"
    case .view(let name, _): name
    case .generator: "generator"
    case .namespace: "Namespace"
    case .loop: "LoopContext"
    case .callable: "function"
    }
  }

  var isUndefined: Bool {
    if case .undefined = self { true } else { false }
  }

  /// As a whole number where Python takes it for one (its booleans are numbers).
  var integer: Int? {
    switch self {
    case .int(let value, _): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// As a floating-point number where Python takes it for a number.
  var number: Double? {
    if case .float(let value) = self { return value }
    return integer.map(Double.init)
  }
}

/// A dictionary that keeps the order in which its keys came.
final class JinjaDict {
  let entries: JinjaEntries
  /// Levels of containers in it, itself included.
  let nesting: Int
  /// The keys of a small dictionary that has strings alone, as nearly all do: going through them is
  /// cheaper than hashing.
  private let names: [[UInt8]]
  private let index: [JinjaKey: Int]

  private static let indexedFrom = 9

  /// Later entries replace earlier ones of the same key, in the earlier one's place.
  ///
  /// Fails with nil where a key is of a type that Python cannot hash.
  init?(_ pairs: [(key: JinjaValue, value: JinjaValue)]) {
    if let names = Self.names(of: pairs) {
      entries = JinjaEntries(keys: pairs.map(\.key), values: pairs.map(\.value))
      self.names = names
      index = [:]
    } else {
      var keys: [JinjaValue] = []
      var values: [JinjaValue] = []
      var index: [JinjaKey: Int] = [:]
      for pair in pairs {
        guard let key = JinjaKey(pair.key) else { return nil }
        if let place = index[key] {
          values[place] = pair.value
        } else {
          index[key] = keys.count
          keys.append(pair.key)
          values.append(pair.value)
        }
      }
      entries = JinjaEntries(keys: keys, values: values)
      self.index = index
      names = []
    }
    nesting = max(
      JinjaValue.nesting(over: entries.keys), JinjaValue.nesting(over: entries.values))
  }

  /// - Parameters:
  ///   - values: none of them a container.
  ///   - names: of the keys, none twice.
  init(keys: [JinjaValue], values: [JinjaValue], names: [[UInt8]]) {
    entries = JinjaEntries(keys: keys, values: values)
    self.names = names
    index = [:]
    nesting = 1
  }

  /// nil where there are many, one that is no string, or one twice.
  private static func names(of pairs: [(key: JinjaValue, value: JinjaValue)]) -> [[UInt8]]? {
    guard pairs.count < indexedFrom else { return nil }
    var names: [[UInt8]] = []
    names.reserveCapacity(pairs.count)
    for place in pairs.indices {
      guard case .string(let key) = pairs[place].key, Self.place(of: key.bytes, in: names) == nil
      else { return nil }
      names.append(key.bytes)
    }
    return names
  }

  private static func place(of name: [UInt8], in names: [[UInt8]]) -> Int? {
    let names = names.span
    for place in names.indices where names[place] == name { return place }
    return nil
  }

  /// Where an entry stands.
  func place(of key: TemplateString) -> Int? {
    index.isEmpty ? Self.place(of: key.bytes, in: names) : index[.string(key)]
  }

  func value(forKey key: TemplateString) -> JinjaValue? {
    guard let place = place(of: key) else { return nil }
    return entries.values[place]
  }

  /// The value of a key; nil also for a key that cannot be hashed.
  func value(for key: JinjaValue) -> JinjaValue? {
    if case .string(let name) = key { return value(forKey: name) }
    return JinjaKey(key).flatMap { index[$0] }.map { entries.values[$0] }
  }
}

/// A dictionary's keys and values, apart: all messages of text alone share their keys.
struct JinjaEntries: RandomAccessCollection {
  let keys: [JinjaValue]
  /// As many.
  let values: [JinjaValue]

  var startIndex: Int { 0 }
  var endIndex: Int { keys.count }
  subscript(place: Int) -> (key: JinjaValue, value: JinjaValue) { (keys[place], values[place]) }
}

/// What Python hashes: equal numbers are one key, whatever their type.
enum JinjaKey: Hashable {
  case none
  case undefined
  case int(Int)
  case float(Double)
  case string(TemplateString)
  case tuple([JinjaKey])

  /// Fails with nil for what cannot be hashed.
  init?(_ value: JinjaValue) {
    var parts = 0
    self.init(value, &parts)
  }

  /// Tuples may share parts, so that one has far more of them than were made: no key needs many.
  private init?(_ value: JinjaValue, _ parts: inout Int) {
    parts += 1
    guard parts <= 1_000 else { return nil }
    switch value {
    case .none: self = .none
    case .undefined: self = .undefined
    case .bool, .int: self = .int(value.integer ?? 0)
    case .float(let number):
      if let whole = Int(exactly: number) { self = .int(whole) } else { self = .float(number) }
    case .string(let text): self = .string(text)
    case .tuple(let items):
      var keys: [JinjaKey] = []
      for item in items {
        guard let key = JinjaKey(item, &parts) else { return nil }
        keys.append(key)
      }
      self = .tuple(keys)
    default: return nil
    }
  }
}

/// Python's `range`.
struct JinjaRange {
  var start: Int
  /// As it was written: beyond the last number, or on it.
  var stop: Int
  var step: Int
  var count: Int

  subscript(index: Int) -> JinjaValue {
    .int(start + index * step)
  }
}

/// A sequence that can be gone through once.
final class JinjaGenerator {
  let nesting: Int
  private let items: [JinjaValue]
  private var position = 0

  init(_ items: [JinjaValue]) {
    self.items = items
    nesting = JinjaValue.nesting(over: items)
  }

  func next() -> JinjaValue? {
    guard position < items.count else { return nil }
    defer { position += 1 }
    return items[position]
  }
}

/// What `namespace()` makes: the one thing a template can write to from an inner scope.
final class JinjaNamespace {
  private var names: [TemplateString] = []
  private var values: [JinjaValue] = []

  subscript(name: TemplateString) -> JinjaValue? {
    get { names.firstIndex(of: name).map { values[$0] } }
    set {
      guard let newValue else { return }
      if let place = names.firstIndex(of: name) {
        values[place] = newValue
      } else {
        names.append(name)
        values.append(newValue)
      }
    }
  }

  /// Forgets all: a namespace that holds itself would never be freed.
  func removeAll() {
    names.removeAll()
    values.removeAll()
  }
}
