/// An expression of a template.
///
/// A class, since whoever evaluates one then reads its parts without a reference count of each.
final class JinjaExpression: Sendable {
  enum Kind: Sendable {
    case none
    case bool(Bool)
    case int(Int)
    case float(Double)
    case string(TemplateString)
    case name(JinjaSymbol)
    case list([JinjaExpression])
    case tuple([JinjaExpression])
    case dict([(key: JinjaExpression, value: JinjaExpression)])
    /// `object.name`
    case attribute(JinjaExpression, JinjaMemberName)
    /// `object[index]`
    case item(JinjaExpression, JinjaExpression)
    /// `object[start:stop:step]`
    case slice(
      JinjaExpression, start: JinjaExpression?, stop: JinjaExpression?, step: JinjaExpression?)
    case call(JinjaExpression, JinjaCallArguments)
    case filter(JinjaExpression, JinjaFilterUse)
    case test(JinjaExpression, JinjaTestUse)
    case negate(JinjaExpression)
    case plus(JinjaExpression)
    case arithmetic(JinjaArithmetic, JinjaExpression, JinjaExpression)
    /// `a + b + c`, from the left
    case sum([JinjaExpression])
    /// `a ~ b ~ c`
    case concatenation([JinjaExpression])
    /// `a < b <= c`, as in Python
    case comparison(JinjaExpression, [(operation: JinjaComparison, operand: JinjaExpression)])
    case and(JinjaExpression, JinjaExpression)
    case or(JinjaExpression, JinjaExpression)
    case not(JinjaExpression)
    /// `value if condition else other`
    case conditional(JinjaExpression, condition: JinjaExpression, otherwise: JinjaExpression?)
  }

  let kind: Kind
  let line: Int
  /// Levels of expressions in it, itself included.
  let depth: Int
  /// What it reads where the variable is a dictionary, as messages are.
  let entry: Entry?

  /// `variable.key` and `variable['key']`: nearly all that templates read.
  struct Entry: Sendable {
    let variable: JinjaSymbol
    let key: TemplateString

    init?(_ kind: Kind) {
      switch kind {
      case .item(let object, let index):
        guard case .name(let symbol) = object.kind, case .string(let text) = index.kind else {
          return nil
        }
        (variable, key) = (symbol, text)
      case .attribute(let object, let name):
        guard case .name(let symbol) = object.kind, !name.isOfDictionaries else { return nil }
        (variable, key) = (symbol, name.text)
      default: return nil
      }
    }
  }

  init(kind: Kind, line: Int, depth: Int) {
    entry = Entry(kind)
    self.kind = kind
    self.line = line
    self.depth = depth
  }
}

/// A name behind a dot, with what can be known of it before there is a value.
struct JinjaMemberName: Sendable {
  let text: TemplateString
  /// False: a dictionary has it as a key, or not at all.
  let isOfDictionaries: Bool
  /// What a string does by this name.
  let stringMethod: JinjaMethod?
  /// What `loop` tells by this name.
  let ofLoop: JinjaLoop.Member?

  init(_ name: String) {
    text = TemplateString(name)
    isOfDictionaries = JinjaMethodTable.dict.has(name)
    stringMethod = StringMethods.table[name]
    ofLoop = JinjaLoop.Member(rawValue: name)
  }
}

enum JinjaArithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case floorDivide = "//"
  case modulo = "%"
  case power = "**"
}

enum JinjaComparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case isIn = "in"
  case isNotIn = "not in"
}

/// Arguments as they stand in a call.
struct JinjaCallArguments: Sendable {
  var positional: [JinjaExpression] = []
  var keywords: [(name: TemplateString, value: JinjaExpression)] = []
  /// `*values`
  var splat: JinjaExpression?
  /// `**values`
  var keywordSplat: JinjaExpression?
}

/// A filter by name; `implementation` is nil for one that does not exist here.
///
/// Jinja looks filters of an untaken branch up only when they run, and so do we.
struct JinjaFilterUse: Sendable {
  var name: String
  var implementation: JinjaFilter?
  var arguments: JinjaCallArguments
  var line: Int
}

/// A test by name, as `JinjaFilterUse`.
struct JinjaTestUse: Sendable {
  var name: String
  var implementation: JinjaTest?
  var arguments: JinjaCallArguments
  var line: Int
}

/// A variable's name, as its number in the template's table of names.
struct JinjaSymbol: Hashable, Sendable {
  var id: Int
}

/// All names of a template, each with its number.
struct JinjaSymbolTable: Sendable {
  private(set) var names: [String] = []
  private var ids: [String: Int] = [:]

  /// The symbol of a name, made where there is none yet.
  mutating func intern(_ name: String) -> JinjaSymbol {
    if let id = ids[name] { return JinjaSymbol(id: id) }
    ids[name] = names.count
    names.append(name)
    return JinjaSymbol(id: names.count - 1)
  }

  /// The symbol of a name that the template mentions.
  func symbol(_ name: String) -> JinjaSymbol? {
    ids[name].map { JinjaSymbol(id: $0) }
  }

  func name(of symbol: JinjaSymbol) -> String {
    names[symbol.id]
  }
}
