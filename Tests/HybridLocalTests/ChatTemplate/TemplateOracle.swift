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

  enum Answer: Equatable, Sendable {
    case output(String)
    /// The name of Python's exception.
    case refused(String)
  }

  /// Asks about all cases in one process.
  static func answers(_ cases: [Case]) throws -> [Answer] {
    let request: JSONValue = [
      "cases": .array(
        cases.map { one in
          [
            "template": .string(one.template), "context": .object(one.context),
            "now": .string(TemplateFixtures.now),
          ]
        })
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
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the oracle did not run")

    let answers = try JSONReader.wire.read([UInt8](try Data(contentsOf: output)))
    return try #require(answers["results"]?.array).map { answer in
      if let text = answer["output"]?.string { return .output(text) }
      return .refused(answer["error"]?["kind"]?.string ?? "")
    }
  }
}
