/// The variables of one block, and behind them those of the blocks around it.
///
/// A macro keeps the scope that it was defined in and sees what is set there later, as in Jinja.
final class JinjaScope {
  private let parent: JinjaScope?
  // A block has few variables: looking through them beats hashing.
  private var variables: [(symbol: JinjaSymbol, value: JinjaValue)] = []

  init(parent: JinjaScope?) {
    self.parent = parent
  }

  /// The innermost value of a name.
  func value(of symbol: JinjaSymbol) -> JinjaValue? {
    for index in variables.indices where variables[index].symbol == symbol {
      return variables[index].value
    }
    return parent?.value(of: symbol)
  }

  /// Sets a name in this block; a name of the same spelling further out is only hidden.
  func set(_ symbol: JinjaSymbol, to value: JinjaValue) {
    for index in variables.indices where variables[index].symbol == symbol {
      variables[index].value = value
      return
    }
    variables.append((symbol, value))
  }

  /// Forgets all variables.
  func removeAll() {
    variables.removeAll(keepingCapacity: true)
  }
}
