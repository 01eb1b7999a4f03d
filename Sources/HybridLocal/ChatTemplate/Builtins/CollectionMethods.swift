/// Methods of dictionaries, lists and tuples.
enum CollectionMethods {
  static let dict: [String: JinjaMethod] = [
    "get": { interpreter, receiver, arguments throws(TemplateError) in
      // Python takes no names here.
      guard arguments.keywords.isEmpty, (1...2).contains(arguments.positional.count) else {
        throw interpreter.fail("the method 'get' takes a key and a default")
      }
      let key = arguments.positional[0]
      guard JinjaKey(key) != nil else {
        throw interpreter.fail("a value of type \(key.typeName) cannot be a key")
      }
      guard case .dict(let dict) = receiver else { return .none }
      if let value = dict.value(for: key) { return value }
      return arguments.positional.count > 1 ? arguments.positional[1] : .none
    },
    "items": view("dict_items") { .tuple([$0.key, $0.value]) },
    "keys": view("dict_keys") { $0.key },
    "values": view("dict_values") { $0.value },
    "copy": { interpreter, receiver, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "the method 'copy'", [])
      return receiver
    },
  ]

  private static func view(
    _ name: String,
    _ element: @escaping @Sendable ((key: JinjaValue, value: JinjaValue)) -> JinjaValue
  ) -> JinjaMethod {
    { interpreter, receiver, arguments throws(TemplateError) in
      _ = try interpreter.bind(arguments, "this method", [])
      guard case .dict(let dict) = receiver else { return .none }
      try interpreter.reserve(elements: dict.entries.count)
      return .view(name: name, dict.entries.map(element))
    }
  }

  static let list: [String: JinjaMethod] = tuple.merging(
    [
      "copy": { interpreter, receiver, arguments throws(TemplateError) in
        _ = try interpreter.bind(arguments, "the method 'copy'", [])
        return receiver
      }
    ], uniquingKeysWith: { $1 })

  static let tuple: [String: JinjaMethod] = [
    "count": { interpreter, receiver, arguments throws(TemplateError) in
      let wanted = try interpreter.bind(arguments, "the method 'count'", ["value"], required: 1)[0]
      let items = try interpreter.items(of: receiver)
      var count = 0
      for item in items where try interpreter.areEqual(item, wanted ?? .none) { count += 1 }
      return .int(count)
    },
    "index": { interpreter, receiver, arguments throws(TemplateError) in
      let wanted = try interpreter.bind(arguments, "the method 'index'", ["value"], required: 1)[0]
      let items = try interpreter.items(of: receiver)
      for (place, item) in items.enumerated() {
        if try interpreter.areEqual(item, wanted ?? .none) { return .int(place) }
      }
      throw interpreter.fail("the method 'index' does not find its value")
    },
  ]
}
