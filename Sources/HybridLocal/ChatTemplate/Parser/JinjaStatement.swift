/// A statement of a template. A class for the reason that ``JinjaExpression`` is one.
final class JinjaStatement: Sendable {
  enum Kind: Sendable {
    case text(TemplateString)
    case output(JinjaExpression)
    /// `{% print a, b %}`
    case print([JinjaExpression])
    case branch([JinjaBranch], otherwise: [JinjaStatement])
    case loop(JinjaLoopStatement)
    case set(JinjaTarget, JinjaExpression)
    /// `{% set name | filters %} … {% endset %}`
    case setBlock(JinjaTarget, [JinjaFilterUse], [JinjaStatement])
    case with([(target: JinjaTarget, value: JinjaExpression)], [JinjaStatement])
    case macro(JinjaMacroStatement)
    /// `{% call(parameters) callee(arguments) %} … {% endcall %}`
    case call(JinjaMacroStatement, JinjaExpression)
    /// `{% filter name %} … {% endfilter %}`
    case filterBlock([JinjaFilterUse], [JinjaStatement])
    /// `{% generation %} … {% endgeneration %}`: marks what a model wrote, changes no text
    case generation([JinjaStatement])
    case leaveLoop
    case nextTurn
  }

  let kind: Kind
  let line: Int

  init(kind: Kind, line: Int) {
    self.kind = kind
    self.line = line
  }
}

/// One `if` or `elif`.
struct JinjaBranch: Sendable {
  var condition: JinjaExpression
  var body: [JinjaStatement]
}

/// What can be assigned to.
indirect enum JinjaTarget: Sendable {
  case name(JinjaSymbol)
  /// `namespace.name`
  case attribute(JinjaSymbol, TemplateString)
  case tuple([JinjaTarget])
}

struct JinjaLoopStatement: Sendable {
  var target: JinjaTarget
  var sequence: JinjaExpression
  /// `for … in … if condition`
  var condition: JinjaExpression?
  var isRecursive: Bool
  /// The name `loop`, where the body mentions it.
  var loopVariable: JinjaSymbol?
  var body: [JinjaStatement]
  var otherwise: [JinjaStatement]
}

/// A macro, or the nameless one that a call block hands to its callee.
struct JinjaMacroStatement: Sendable {
  var name: JinjaSymbol
  var parameters: [JinjaSymbol]
  /// Defaults of the last parameters.
  var defaults: [JinjaExpression]
  var body: [JinjaStatement]
  /// The body mentions `caller`, `varargs`, `kwargs`: only then does a call accept what fills them.
  var usesCaller = false
  var usesVarargs = false
  var usesKwargs = false
}
