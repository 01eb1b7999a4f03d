/// Goes through what Python can iterate, one value at a time.
final class JinjaIterator {
  private enum Source {
    case items
    case range(JinjaRange)
    case generator(JinjaGenerator)
  }

  private let source: Source
  /// Beside the source, where they can be read without counting a reference to them all.
  private let items: [JinjaValue]
  private var position = 0

  /// Levels of containers in what is gone through.
  let nesting: Int

  /// Fails with nil for what cannot be iterated.
  init?(_ value: JinjaValue) {
    nesting = value.nesting
    var items: [JinjaValue] = []
    var source = Source.items
    switch value {
    case .undefined: break
    case .string(let text): items = text.characters.map(JinjaValue.string)
    case .list(let list), .tuple(let list), .view(_, let list): items = list.array
    case .dict(let dict): items = dict.entries.keys
    case .range(let range): source = .range(range)
    case .generator(let generator): source = .generator(generator)
    case .none, .bool, .int, .float, .namespace, .loop, .callable: return nil
    }
    self.items = items
    self.source = source
  }

  /// How many values there are in all; nil where only going through them tells.
  var count: Int? {
    switch source {
    case .items: items.count
    case .range(let range): range.count
    case .generator: nil
    }
  }

  func next() -> JinjaValue? {
    switch source {
    case .items:
      guard position < items.count else { return nil }
      defer { position += 1 }
      return items[position]
    case .range(let range):
      guard position < range.count else { return nil }
      defer { position += 1 }
      return range[position]
    case .generator(let generator): return generator.next()
    }
  }
}
