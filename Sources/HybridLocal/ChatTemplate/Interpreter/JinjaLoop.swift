/// The variable `loop`: where a `for` stands.
final class JinjaLoop {
  let iterator: JinjaIterator
  /// What decides which items take part, of `for … in … if condition`.
  let condition: ((JinjaValue) throws(TemplateError) -> Bool)?
  /// Runs the loop's body again over inner items, where it is marked `recursive`.
  let recurse: ((JinjaValue, Int) throws(TemplateError) -> TemplateString)?
  let depth: Int
  /// Whether the body mentions it: only then is what came before kept.
  private let isSeen: Bool

  private(set) var index = -1
  private(set) var previous: JinjaValue?
  private var item: JinjaValue?
  /// Read ahead, for `loop.last` and `loop.nextitem`.
  private var ahead: [JinjaValue] = []
  /// How many of those were given out.
  private var taken = 0
  private var length: Int?
  /// What `loop.changed` was given last.
  var lastChanged: JinjaValue?

  init(
    iterator: JinjaIterator, depth: Int, isSeen: Bool,
    condition: ((JinjaValue) throws(TemplateError) -> Bool)?,
    recurse: ((JinjaValue, Int) throws(TemplateError) -> TemplateString)?
  ) {
    self.iterator = iterator
    self.depth = depth
    self.isSeen = isSeen
    self.condition = condition
    self.recurse = recurse
    length = condition == nil ? iterator.count : nil
  }

  /// The length where it is known without looking.
  var knownLength: Int? { length }

  /// Moves to the next item.
  func advance() throws(TemplateError) -> JinjaValue? {
    guard let next = try next() else { return nil }
    index += 1
    if isSeen {
      previous = item
      item = next
    }
    return next
  }

  private func next() throws(TemplateError) -> JinjaValue? {
    guard taken < ahead.count else { return try pull() }
    let next = ahead[taken]
    taken += 1
    if taken == ahead.count {
      ahead.removeAll(keepingCapacity: true)
      taken = 0
    }
    return next
  }

  private func pull() throws(TemplateError) -> JinjaValue? {
    while let next = iterator.next() {
      if let condition, !(try condition(next)) { continue }
      return next
    }
    return nil
  }

  /// The item after this one.
  func peek() throws(TemplateError) -> JinjaValue? {
    if taken < ahead.count { return ahead[taken] }
    guard let next = try pull() else { return nil }
    ahead.append(next)
    return next
  }

  /// All items; reads to the end where nothing else tells.
  func fullLength() throws(TemplateError) -> Int {
    if let length { return length }
    while let next = try pull() { ahead.append(next) }
    let counted = index + 1 + ahead.count - taken
    length = counted
    return counted
  }
}

extension JinjaLoop {
  /// What `loop` tells of itself, by the names that Jinja has for it.
  enum Member: String, Sendable {
    case index, index0, first, last, length, revindex, revindex0, depth, depth0, previtem, nextitem
  }

  func value(of member: Member) throws(TemplateError) -> JinjaValue {
    switch member {
    case .index: .int(index + 1)
    case .index0: .int(index)
    case .first: .bool(index == 0)
    case .last: .bool(try peek() == nil)
    case .length: .int(try fullLength())
    case .revindex: .int(try fullLength() - index)
    case .revindex0: .int(try fullLength() - index - 1)
    case .depth: .int(depth + 1)
    case .depth0: .int(depth)
    case .previtem: previous ?? .undefined("the item before the first one")
    case .nextitem: try peek() ?? .undefined("the item after the last one")
    }
  }
}
