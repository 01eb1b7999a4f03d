import Foundation
import HybridCore
import Testing

/// Python's jinja2, set up as the model makers' own tooling does; `Fixtures/templates/oracle.py`.
enum TemplateOracle {
  /// What the oracle does with a template and its variables.
  struct Case: Sendable {
    var template: String
    var context: JSONObject
  }

  enum Answer: Sendable {
    case output(String)
    /// The name of Python's exception.
    case refused(String)

    /// Byte for byte: Swift's own equality takes two spellings of a character for the same.
    func isOutput(_ text: String) -> Bool {
      if case .output(let output) = self { output.utf8.elementsEqual(text.utf8) } else { false }
    }
  }

  /// Asks about all cases in one process.
  static func answers(_ cases: [Case]) async throws -> [Answer] {
    var templates: [String: Int] = [:]
    let asked = cases.map { one -> JSONValue in
      let number = templates[one.template, default: templates.count]
      templates[one.template] = number
      return ["template": .int(number), "context": .object(one.context)]
    }
    let sources = templates.sorted { $0.value < $1.value }.map { JSONValue.string($0.key) }
    let request: JSONValue = [
      "now": .string(TemplateFixtures.now), "templates": .array(sources), "cases": .array(asked),
    ]
    // Files, not pipes: neither side can block the other.
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appending(path: "cases.json")
    let output = folder.appending(path: "answers.json")
    try Data(JSONWriter.compact.bytes(request)).write(to: input)
    try Data().write(to: output)

    let process = Process()
    process.executableURL = TemplateFixtures.testing.appending(path: "bin/python3")
    process.arguments = [TemplateFixtures.folder.appending(path: "oracle.py").path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    // Waited for without a thread: the other tests need them.
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    try #require(status == 0, "the oracle did not run")

    let answers = try JSONReader.wire.read([UInt8](try Data(contentsOf: output)))
    return try #require(answers["results"]?.array).map { answer in
      if let text = answer["output"]?.string { return .output(text) }
      return .refused(answer["error"]?["kind"]?.string ?? "")
    }
  }
}
