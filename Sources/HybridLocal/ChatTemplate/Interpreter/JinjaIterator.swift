/// Goes through what Python can iterate, one value at a time.
final class JinjaIterator {
  private enum Source {
    case items([JinjaValue])
    case range(JinjaRange)
    case generator(JinjaGenerator)
  }

  private let source: Source
  private var position = 0

  /// Levels of containers in what is gone through.
  let nesting: Int

  /// Fails with nil for what cannot be iterated.
  init?(_ value: JinjaValue) {
    nesting = value.nesting
    switch value {
    case .undefined: source = .items([])
    case .string(let text): source = .items(text.characters.map(JinjaValue.string))
    case .list(let items), .tuple(let items), .view(_, let items): source = .items(items.array)
    case .dict(let dict): source = .items(dict.entries.map(\.key))
    case .range(let range): source = .range(range)
    case .generator(let generator): source = .generator(generator)
    case .none, .bool, .int, .float, .namespace, .loop, .callable: return nil
    }
  }

  /// How many values there are in all; nil where only going through them tells.
  var count: Int? {
    switch source {
    case .items(let items): items.count
    case .range(let range): range.count
    case .generator: nil
    }
  }

  func next() -> JinjaValue? {
    switch source {
    case .items(let items):
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
