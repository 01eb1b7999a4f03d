/// The variables of one block, and behind them those of the blocks around it.
///
/// A macro keeps the scope that it was defined in and sees what is set there later, as in Jinja.
final class JinjaScope {
  private let parent: JinjaScope?
  // A block has few variables: looking through them beats hashing.
  private var symbols: [JinjaSymbol] = []
  private var values: [JinjaValue] = []

  init(parent: JinjaScope?) {
    self.parent = parent
  }

  /// The innermost value of a name.
  func value(of symbol: JinjaSymbol) -> JinjaValue? {
    var scope = self
    while true {
      var index = scope.symbols.count
      while index > 0 {
        index -= 1
        if scope.symbols[index] == symbol { return scope.values[index] }
      }
      guard let outer = scope.parent else { return nil }
      scope = outer
    }
  }

  /// Sets a name in this block; a name of the same spelling further out is only hidden.
  func set(_ symbol: JinjaSymbol, to value: JinjaValue) {
    if let index = symbols.firstIndex(of: symbol) {
      values[index] = value
    } else {
      symbols.append(symbol)
      values.append(value)
    }
  }
}
