import Foundation

/// Files beside the tests, and those that the set-up puts in place.
enum TestAssets {
  /// A recorded stream of `Fixtures/streams`.
  static func stream(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: root.appending(path: "Fixtures/streams/\(name)")))
  }

  struct Missing: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) is missing: run Fixtures/bootstrap --tests" }
  }

  /// A file that `Fixtures/bootstrap --tests` installs.
  static func installed(_ path: String) throws -> String {
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    let path = "\(prefix)/share/hybridkit/\(path)"
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    return path
  }

  static func model() throws -> String {
    try installed("models/SmolLM2-135M-Instruct.Q4_1.gguf")
  }
}
