/// Decodes a file that a person wrote, and names the field, line and column of what is wrong.
///
///     let policy = try JSONFileDecoder(name: "policy.json").decode(RoutingPolicy.self, from: bytes)
///
/// Any `Decodable` will do. `DecodingError.invalidField` and `Decoder.refuseUnknownKeys` let a type
/// state its own rules. No error shows a value: messages files hold prompts.
public struct JSONFileDecoder: Sendable {
  /// The file as errors name it.
  public var name: String

  public var reader: JSONReader

  /// - Parameter name: `policy.json`, or `standard input`.
  public init(name: String, reader: JSONReader = .file) {
    self.name = name
    self.reader = reader
  }

  /// - Throws: `invalidFile`, with `file`, `line`, `column` and, where a field is at fault, `path` in
  ///   its details.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(HybridError) -> Value {
    let document = try read(bytes)
    do {
      return try JSONNodeDecoder(node: document.root, codingPath: []).decode(type)
    } catch let error as DecodingError {
      throw self.error(error, in: document)
    } catch {
      throw self.error([], FieldProblem("cannot be used"), in: document, underlying: error)
    }
  }

  public func decode<Value: Decodable>(
    _ type: Value.Type, from text: String
  ) throws(HybridError) -> Value {
    try decode(type, from: Array(text.utf8))
  }

  /// Checks the syntax alone.
  ///
  /// - Throws: `invalidFile`, with `file`, `line` and `column` in its details.
  public func read(_ bytes: [UInt8]) throws(HybridError) -> JSONDocument {
    do {
      return try reader.readDocument(bytes)
    } catch {
      throw HybridError(
        .invalidFile, "\(name) is not JSON: \(error.position): \(error.problem)",
        nextStep: "Correct the file at that place",
        details: [
          "file": .string(name), "line": .int(error.line), "column": .int(error.column),
        ],
        underlying: error)
    }
  }

  private func error(_ error: DecodingError, in document: JSONDocument) -> HybridError {
    let (context, words): (DecodingError.Context, String)
    var path: [any CodingKey]
    switch error {
    case .typeMismatch(_, let its):
      (context, words, path) = (its, "has the wrong type", its.codingPath)
    case .valueNotFound(_, let its): (context, words, path) = (its, "is null", its.codingPath)
    case .keyNotFound(let key, let its):
      (context, words) = (its, "is missing")
      path = its.codingPath + [key]
    case .dataCorrupted(let its): (context, words, path) = (its, "cannot be used", its.codingPath)
    @unknown default:
      return self.error([], FieldProblem("cannot be used"), in: document, underlying: error)
    }
    let problem = context.underlyingError as? FieldProblem ?? FieldProblem(words)
    return self.error(path, problem, in: document, underlying: error)
  }

  private func error(
    _ path: [any CodingKey], _ problem: FieldProblem, in document: JSONDocument,
    underlying: any Error
  ) -> HybridError {
    // A missing field has no place of its own: its object's is given.
    var node = document.root
    var offset = node.offset
    for (depth, key) in path.enumerated() {
      if let index = key.intValue, case .array(let elements) = node.content,
        elements.indices.contains(index)
      {
        node = elements[index]
        offset = node.offset
      } else if let member = node.member(key.stringValue) {
        node = member.value
        let isFault = problem.isAboutKey && depth == path.count - 1
        offset = isFault ? member.keyOffset : node.offset
      } else {
        break
      }
    }
    let position = document.position(at: offset)
    let field = JSONPath.description(path)
    let subject = field.isEmpty ? "the whole" : field
    return HybridError(
      .invalidFile, "\(name), \(position): \(subject): \(problem.words)",
      nextStep: problem.nextStep ?? "Correct the file at that place",
      details: [
        "file": .string(name), "path": .string(field), "line": .int(position.line),
        "column": .int(position.column),
      ])
  }
}
