/// Filters on sequences and mappings.
enum SequenceFilters {
  static let `default`: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'default'", ["default_value", "boolean"])
    let replaces = value.isUndefined || (given[1]?.isTrue ?? false && !value.isTrue)
    return replaces ? given[0] ?? .string("") : value
  }

  static let length: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'length'", [])
    switch value {
    case .undefined: return .int(0)
    case .string(let text):
      try interpreter.spend(text.count >> 6)
      return .int(text.scalarCount)
    case .list(let items), .tuple(let items), .view(_, let items): return .int(items.count)
    case .dict(let dict): return .int(dict.entries.count)
    case .range(let range): return .int(range.count)
    case .loop(let loop): return .int(try loop.fullLength())
    default: throw interpreter.fail("a value of type \(value.typeName) has no length")
    }
  }

  static let first: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'first'", [])
    guard let iterator = JinjaIterator(value) else {
      throw interpreter.fail("a value of type \(value.typeName) has no first item")
    }
    return iterator.next() ?? .undefined("the first item of an empty sequence")
  }

  static let last: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'last'", [])
    if case .generator = value { throw interpreter.fail("a generator has no last item") }
    guard !value.isUndefined else { return .undefined("the last item of an empty sequence") }
    return try interpreter.items(of: value).last
      ?? .undefined("the last item of an empty sequence")
  }

  static let list: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'list'", [])
    return .list(try interpreter.items(of: value))
  }

  static let items: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'items'", [])
    if value.isUndefined { return .generator(JinjaGenerator([])) }
    guard case .dict(let dict) = value else {
      throw interpreter.fail("the filter 'items' takes a mapping, not \(value.typeName)")
    }
    try interpreter.reserve(elements: dict.entries.count)
    return .generator(JinjaGenerator(dict.entries.map { .tuple([$0.key, $0.value]) }))
  }

  static let reverse: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    _ = try interpreter.bind(arguments, "the filter 'reverse'", [])
    if case .string(let text) = value {
      try interpreter.reserve(bytes: text.count)
      return .string(text.sliced(PythonSlice(start: nil, stop: nil, step: -1)))
    }
    let items = try interpreter.items(of: value)
    return .generator(JinjaGenerator(items.reversed()))
  }

  static let attr: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let name = try interpreter.bind(arguments, "the filter 'attr'", ["name"], required: 1)[0]
    let text = try interpreter.string(name ?? .none, "the filter 'attr'")
    // Attributes alone: an item of that name does not count.
    if case .dict(let dict) = value, dict.value(forKey: text) != nil {
      let empty = JinjaDict([]).map(JinjaValue.dict) ?? .none
      return try interpreter.attribute(text, of: empty)
    }
    return try interpreter.attribute(text, of: value)
  }

  static let batch: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'batch'", ["linecount", "fill_with"], required: 1)
    let size = try interpreter.integer(given[0] ?? .none, "the filter 'batch'")
    guard size > 0 else { throw interpreter.unsupported("the filter 'batch' with no size") }
    let items = try interpreter.items(of: value)
    var rows: [JinjaValue] = []
    var start = 0
    while start < items.count {
      var row = Array(items[start..<Swift.min(start + size, items.count)])
      if let fill = given[1], !fill.isNone, row.count < size {
        try interpreter.reserve(elements: size)
        row += Array(repeating: fill, count: size - row.count)
      }
      rows.append(.list(row))
      start += size
    }
    return .generator(JinjaGenerator(rows))
  }

  static let slice: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'slice'", ["slices", "fill_with"], required: 1)
    let count = try interpreter.integer(given[0] ?? .none, "the filter 'slice'")
    guard count > 0 else { throw interpreter.fail("the filter 'slice' needs a number above zero") }
    let items = try interpreter.items(of: value)
    try interpreter.reserve(elements: count)
    let longer = items.count % count
    var rows: [JinjaValue] = []
    var start = 0
    for number in 0..<count {
      let size = items.count / count + (number < longer ? 1 : 0)
      var row = Array(items[start..<start + size])
      if let fill = given[1], !fill.isNone, number >= longer { row.append(fill) }
      rows.append(.list(row))
      start += size
    }
    return .generator(JinjaGenerator(rows))
  }

  // MARK: Sorting

  static let dictsort: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'dictsort'", ["case_sensitive", "by", "reverse"])
    try interpreter.requireDefined(value)
    guard case .dict(let dict) = value else {
      throw interpreter.fail("the filter 'dictsort' takes a mapping, not \(value.typeName)")
    }
    let by = try interpreter.string(given[1] ?? .string("key"), "the filter 'dictsort'").text
    guard by == "key" || by == "value" else {
      throw interpreter.fail("the filter 'dictsort' sorts by key or value")
    }
    let keys = dict.entries.map { by == "key" ? $0.key : $0.value }
    let folded = given[0]?.isTrue ?? false ? keys : keys.map(\.caseFolded)
    let order = try interpreter.sortedOrder(of: folded, reversed: given[2]?.isTrue ?? false)
    return .list(order.map { .tuple([dict.entries[$0].key, dict.entries[$0].value]) })
  }

  static let sort: JinjaFilter.Function = { interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'sort'", ["reverse", "case_sensitive", "attribute"])
    let items = try interpreter.items(of: value)
    let keys = try interpreter.sortKeys(
      of: items, attribute: given[2], isCaseSensitive: given[1]?.isTrue ?? false)
    let order = try interpreter.sortedOrder(of: keys, reversed: given[0]?.isTrue ?? false)
    return .list(order.map { items[$0] })
  }

  static let unique: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'unique'", ["case_sensitive", "attribute"])
    let items = try interpreter.items(of: value)
    var seen: Set<JinjaKey> = []
    var kept: [JinjaValue] = []
    let path = try given[1].map { (attribute) throws(TemplateError) in
      attribute.isNone ? [] : try interpreter.path(attribute)
    }
    for item in items {
      var key = try interpreter.value(at: path ?? [], of: item)
      if !(given[0]?.isTrue ?? false) { key = key.caseFolded }
      guard let hashed = JinjaKey(key) else {
        throw interpreter.fail("a value of type \(key.typeName) cannot be a key")
      }
      if seen.insert(hashed).inserted { kept.append(item) }
    }
    return .generator(JinjaGenerator(kept))
  }

  static let min = extreme("min", picksLast: false)
  static let max = extreme("max", picksLast: true)

  private static func extreme(_ name: String, picksLast: Bool) -> JinjaFilter.Function {
    { interpreter, value, arguments throws(TemplateError) in
      let given = try interpreter.bind(
        arguments, "the filter '\(name)'", ["case_sensitive", "attribute"])
      let items = try interpreter.items(of: value)
      guard !items.isEmpty else { return .undefined("the \(name) of an empty sequence") }
      let path = try given[1].map { (attribute) throws(TemplateError) in
        attribute.isNone ? [] : try interpreter.path(attribute)
      }
      var best = 0
      var bestKey: JinjaValue?
      for (place, item) in items.enumerated() {
        var key = try interpreter.value(at: path ?? [], of: item)
        if !(given[0]?.isTrue ?? false) { key = key.caseFolded }
        if let current = bestKey {
          let isBetter = try interpreter.holds(picksLast ? .greater : .less, key, current)
          guard isBetter else { continue }
        }
        best = place
        bestKey = key
      }
      return items[best]
    }
  }

  static let groupby: JinjaFilter.Function = {
    interpreter, value, arguments throws(TemplateError) in
    let given = try interpreter.bind(
      arguments, "the filter 'groupby'", ["attribute", "default", "case_sensitive"], required: 1)
    if let fallback = given[1], !fallback.isNone {
      throw interpreter.unsupported("the filter 'groupby' with a default")
    }
    let items = try interpreter.items(of: value)
    let path = try interpreter.path(given[0] ?? .none)
    var keys: [JinjaValue] = []
    for item in items {
      let key = try interpreter.value(at: path, of: item)
      keys.append(given[2]?.isTrue ?? false ? key : key.caseFolded)
    }
    var groups: [JinjaValue] = []
    var members: [JinjaValue] = []
    let order = try interpreter.sortedOrder(of: keys)
    for (place, index) in order.enumerated() {
      members.append(items[index])
      var isLast = place + 1 == order.count
      if !isLast { isLast = !(try interpreter.areEqual(keys[index], keys[order[place + 1]])) }
      if isLast {
        let name = try interpreter.value(at: path, of: members[0])
        groups.append(.tuple([name, .list(members)]))
        members = []
      }
    }
    return .list(groups)
  }
}

extension JinjaValue {
  /// A string in lower case, anything else as it is.
  var caseFolded: JinjaValue {
    if case .string(let text) = self { .string(text.lowercased) } else { self }
  }
}

extension JinjaInterpreter {
  /// A filter's attribute argument ("function.name", or an index) as the steps that it names.
  func path(_ attribute: JinjaValue) throws(TemplateError) -> [JinjaValue] {
    guard case .string(let text) = attribute else {
      return [.int(try integer(attribute, "an attribute"))]
    }
    return text.split(separator: TemplateString("."), limit: -1).map { part in
      let isNumber = !part.isEmpty && part.scalars.allSatisfy { ("0"..."9").contains($0) }
      return isNumber ? PythonNumber.integer(part).map { .int($0) } ?? .string(part) : .string(part)
    }
  }

  /// What a path leads to from a value.
  func value(at path: [JinjaValue], of value: JinjaValue) throws(TemplateError) -> JinjaValue {
    var value = value
    for step in path {
      try spend(1)
      value = try item(step, of: value)
    }
    return value
  }

  func sortKeys(
    of items: [JinjaValue], attribute: JinjaValue?, isCaseSensitive: Bool
  ) throws(TemplateError) -> [JinjaValue] {
    var paths: [[JinjaValue]] = [[]]
    if let attribute, !attribute.isNone {
      if case .string(let text) = attribute {
        paths = try text.split(separator: TemplateString(","), limit: -1)
          .map { (part) throws(TemplateError) in try path(.string(part)) }
      } else {
        paths = [try path(attribute)]
      }
    }
    var keys: [JinjaValue] = []
    for item in items {
      var parts: [JinjaValue] = []
      for path in paths {
        let part = try value(at: path, of: item)
        parts.append(isCaseSensitive ? part : part.caseFolded)
      }
      keys.append(.list(parts))
    }
    return keys
  }

  /// The order in which `keys` are sorted, equal ones as they came.
  ///
  /// A merge sort of its own: comparisons may fail, and each one is a step.
  func sortedOrder(
    of keys: [JinjaValue], reversed: Bool = false
  ) throws(TemplateError) -> [Int] {
    func precedes(_ left: Int, _ right: Int) throws(TemplateError) -> Bool {
      try spend(1)
      return reversed
        ? try holds(.greater, keys[left], keys[right]) : try holds(.less, keys[left], keys[right])
    }
    var order = Array(keys.indices)
    var width = 1
    while width < order.count {
      var merged: [Int] = []
      merged.reserveCapacity(order.count)
      var start = 0
      while start < order.count {
        let middle = Swift.min(start + width, order.count)
        let end = Swift.min(start + 2 * width, order.count)
        var left = start
        var right = middle
        while left < middle, right < end {
          if try precedes(order[right], order[left]) {
            merged.append(order[right])
            right += 1
          } else {
            merged.append(order[left])
            left += 1
          }
        }
        merged += order[left..<middle]
        merged += order[right..<end]
        start = end
      }
      order = merged
      width *= 2
    }
    return order
  }
}
