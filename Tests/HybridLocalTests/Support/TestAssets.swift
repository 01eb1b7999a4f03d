import Foundation

/// Files that `Fixtures/bootstrap --tests` puts in place. A test that misses one fails, and says so.
enum TestAssets {
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing: run Fixtures/bootstrap --tests" }
  }

  /// `PREFIX` as for the bootstrap script.
  static let root =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/hybridkit"

  static func model() throws -> String {
    try path("models/SmolLM2-135M-Instruct.Q4_1.gguf")
  }

  /// - Parameter name: below `share/hybridkit`.
  static func path(_ name: String) throws -> String {
    let path = "\(root)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    return path
  }

  static func folder(_ name: String) throws -> [String] {
    let folder = try path(name)
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .map { "\(folder)/\($0)" }
  }
}
