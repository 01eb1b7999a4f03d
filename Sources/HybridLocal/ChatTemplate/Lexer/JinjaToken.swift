/// A piece of template source.
struct JinjaToken: Sendable {
  enum Kind: Sendable, Equatable {
    /// Text outside of tags, white space already cut as the tags around it ask for.
    case data(TemplateString)
    case variableBegin
    case variableEnd
    case blockBegin
    case blockEnd
    case name(String)
    case string(TemplateString)
    case integer(Int)
    case float(Double)
    case symbol(Symbol)
    case end
  }

  /// Operators and punctuation inside tags.
  enum Symbol: String, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case divide = "/"
    case floorDivide = "//"
    case multiply = "*"
    case modulo = "%"
    case power = "**"
    case tilde = "~"
    case leftBracket = "["
    case rightBracket = "]"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case equal = "=="
    case notEqual = "!="
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case assign = "="
    case dot = "."
    case colon = ":"
    case pipe = "|"
    case comma = ","
    case semicolon = ";"
  }

  var kind: Kind
  var line: Int
}
