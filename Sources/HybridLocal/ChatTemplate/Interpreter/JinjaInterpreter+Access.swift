/// Attributes, items and slices.
extension JinjaInterpreter {
  /// `object.name`: an attribute first, then an item of that name.
  func attribute(
    _ name: TemplateString, of object: JinjaValue
  ) throws(TemplateError) -> JinjaValue {
    if case .undefined(let undefined) = object { throw undefinedError(undefined) }
    if let member = try member(name, of: object) { return member }
    if case .dict(let dict) = object, let value = dict.value(forKey: name) { return value }
    return .undefined(missing(.string(name), of: object))
  }

  /// The same for a name in the template's own text.
  func attribute(
    _ name: JinjaMemberName, of object: JinjaValue
  ) throws(TemplateError) -> JinjaValue {
    if case .dict(let dict) = object, !name.isOfDictionaries {
      return dict.value(forKey: name.text) ?? .undefined(missing(.string(name.text), of: object))
    }
    if let member = name.ofLoop, case .loop(let loop) = object { return try loop.value(of: member) }
    return try attribute(name.text, of: object)
  }

  /// `object[index]`: an item first, then an attribute of that name.
  func item(_ index: JinjaValue, of object: JinjaValue) throws(TemplateError) -> JinjaValue {
    switch object {
    case .undefined(let undefined): throw undefinedError(undefined)
    case .dict(let dict):
      if let value = dict.value(for: index) { return value }
    case .list(let items), .tuple(let items):
      if let place = index.integer.flatMap({ place($0, count: items.count) }) {
        return items[place]
      }
    case .string(let text):
      if let index = index.integer {
        try scan(bytes: text.count)
        let offsets = text.scalarOffsets
        if let place = place(index, count: offsets.count - 1) {
          return .string(text[offsets[place]..<offsets[place + 1]])
        }
      }
    case .range(let range):
      if let place = index.integer.flatMap({ place($0, count: range.count) }) {
        return range[place]
      }
    default: break
    }
    if case .string(let name) = index, let member = try member(name, of: object) { return member }
    return .undefined(missing(index, of: object))
  }

  /// An index counted from the end where it is negative; nil outside.
  private func place(_ index: Int, count: Int) -> Int? {
    let counted = index < 0 ? index + count : index
    return counted >= 0 && counted < count ? counted : nil
  }

  /// An attribute or element that is not there, named only where the template wrote the name.
  private func missing(_ index: JinjaValue, of object: JinjaValue) -> JinjaValue.Undefined {
    if case .string(let name) = index, name.isAllTemplate {
      return .member(name, ofType: object.typeName)
    }
    return .member(nil, ofType: object.typeName)
  }

  /// What Python's `getattr` finds: methods, and the attributes of Jinja's own objects.
  private func member(
    _ name: TemplateString, of object: JinjaValue
  ) throws(TemplateError) -> JinjaValue? {
    switch object {
    case .namespace(let namespace): return namespace[name]
    case .loop(let loop):
      let text = name.text
      if let member = JinjaLoop.Member(rawValue: text) { return try loop.value(of: member) }
      return text == "cycle" || text == "changed" ? .callable(.loopMethod(loop, text)) : nil
    default: break
    }
    guard let table = JinjaMethodTable.table(for: object) else { return nil }
    // Two lists decide, one hash each; names of dictionary keys mostly are in neither.
    let text = name.text
    if let method = table.methods[text] {
      return .callable(.method(JinjaBoundMethod(receiver: object, name: text, method: method)))
    }
    if table.forbidden.contains(text) || JinjaMethodTable.isPrivate(text) {
      return .undefined(
        name.isAllTemplate
          ? .forbidden(text, ofType: object.typeName) : .member(nil, ofType: object.typeName))
    }
    if table.unsupported.contains(text) {
      return .callable(.unsupported("the method '\(text)' of \(object.typeName)"))
    }
    return nil
  }

  /// `object[start:stop:step]`
  func slice(_ indices: PythonSlice, of object: JinjaValue) throws(TemplateError) -> JinjaValue {
    guard indices.step != 0 else { throw fail("the step of a slice is zero") }
    switch object {
    case .undefined(let undefined): throw undefinedError(undefined)
    case .string(let text):
      try scan(bytes: text.count)
      return .string(text.sliced(indices))
    case .list(let items):
      try reserve(elements: items.count)
      return .list(sliced(items, indices))
    case .tuple(let items):
      try reserve(elements: items.count)
      return .tuple(sliced(items, indices))
    case .range:
      let items = try items(of: object)
      return .list(sliced(items, indices))
    default: throw fail("a value of type \(object.typeName) cannot be sliced")
    }
  }

  private func sliced(_ items: some RandomAccessCollection<JinjaValue>, _ indices: PythonSlice)
    -> [JinjaValue]
  {
    indices.resolved(count: items.count).indices.map {
      items[items.index(items.startIndex, offsetBy: $0)]
    }
  }
}
