#if LocalLlama
  import Foundation
  import HybridCore
  import Measuring

  /// Python's jinja2 in a process of its own, told what to do line by line: `Fixtures/templates/rounds.py`.
  final class Jinja {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread: [UInt8] = []

    init() throws {
      let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      process.executableURL = URL(filePath: InstalledFiles.testing("bin/python3"))
      process.arguments = [package.appending(path: "Fixtures/templates/rounds.py").path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    deinit {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    /// Takes a template and its variables.
    ///
    /// - Returns: what it renders to; nil where jinja2 refuses it.
    func take(template: String, context: JSONObject) throws -> String? {
      try ask(["template": .string(template), "context": .object(context)])["output"]?.string
    }

    func seconds(renders: Int) throws -> Double {
      guard let seconds = try ask(["renders": .int(renders)])["seconds"]?.double else {
        throw UsageError("jinja2 told no time")
      }
      return seconds
    }

    private func ask(_ request: JSONValue) throws -> JSONValue {
      let line = JSONWriter.compact.bytes(request) + [UInt8(ascii: "\n")]
      try input.fileHandleForWriting.write(contentsOf: line)
      while true {
        if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          defer { unread.removeFirst(end + 1) }
          return try JSONReader.wire.read(Array(unread[..<end]))
        }
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw UsageError("jinja2 has ended") }
        unread += more
      }
    }
  }
#endif
