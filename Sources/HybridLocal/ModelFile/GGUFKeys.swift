/// Metadata by key, each value with the exact type that llama.cpp asks for.
///
/// llama.cpp refuses a number of another width too; saying so here names the key.
struct GGUFKeys {
  let values: [String: GGUFValue]

  /// A 32-bit unsigned number.
  func count(_ key: String) throws(ModelFileError) -> Int? {
    guard let value = values[key] else { return nil }
    guard value.type == .uint32, case .integer(let number) = value.payload else {
      throw wrongType(key, value, "a 32-bit unsigned number")
    }
    return Int(number)
  }

  /// A 32-bit unsigned number within a range.
  func count(_ key: String, in range: ClosedRange<Int>) throws(ModelFileError) -> Int? {
    guard let number = try count(key) else { return nil }
    guard range.contains(number) else {
      throw bad(
        key, "\(key) is \(number); it must lie from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func required(_ key: String, in range: ClosedRange<Int>) throws(ModelFileError) -> Int {
    guard let number = try count(key, in: range) else { throw missing(key) }
    return number
  }

  /// One number for every layer: a single one for all of them, or an array of one each.
  func perLayer(_ key: String, layers: Int, in range: ClosedRange<Int>) throws(ModelFileError)
    -> [Int]?
  {
    guard let value = values[key] else { return nil }
    guard case .array(let array) = value.payload else {
      return try count(key, in: range).map { Array(repeating: $0, count: layers) }
    }
    guard array.element == .uint32 || array.element == .int32, let integers = array.integers else {
      throw wrongType(key, value, "an array of 32-bit numbers")
    }
    guard array.count == layers else {
      throw bad(key, "\(key) has \(array.count) numbers for \(layers) layers")
    }
    guard let wrong = integers.first(where: { !range.contains(Int($0)) }) else {
      return integers.map { Int($0) }
    }
    throw bad(
      key, "\(key) holds \(wrong); it must lie from \(range.lowerBound) to \(range.upperBound)")
  }

  func text(_ key: String) throws(ModelFileError) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value.payload else { throw wrongType(key, value, "a text") }
    return text
  }

  func flag(_ key: String) throws(ModelFileError) -> Bool? {
    guard let value = values[key] else { return nil }
    guard case .flag(let flag) = value.payload else { throw wrongType(key, value, "true or false") }
    return flag
  }

  func array(_ key: String) throws(ModelFileError) -> GGUFArray? {
    guard let value = values[key] else { return nil }
    guard case .array(let array) = value.payload else { throw wrongType(key, value, "an array") }
    return array
  }

  func missing(_ key: String) -> ModelFileError {
    let shown = ModelFileError.printable(key)
    return ModelFileError(.missingKey, "the file does not say \(shown)", key: key)
  }

  func bad(_ key: String, _ problem: String) -> ModelFileError {
    ModelFileError(.badValue, problem, offset: values[key]?.offset, key: key)
  }

  func wrongType(_ key: String, _ value: GGUFValue, _ expected: String) -> ModelFileError {
    let shown = ModelFileError.printable(key)
    return ModelFileError(
      .wrongType, "\(shown) must be \(expected)", offset: value.offset, key: key)
  }
}
