import Foundation
import Testing

/// Requests cancelled at random moments of every phase, with other streams running on: the short form
/// of `GatewayCancels`, which runs in a process and, where that is allowed, a namespace of its own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CancelStormTests {
  private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "GatewayCancels").path()

  /// True where a dead resolver can be had.
  private static let hasNamespaces: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-rnm", "ip", "link", "set", "lo", "up"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private func storm(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test func `nothing stays of requests that were cancelled, and no stream is disturbed`() throws {
    let (status, output) = try storm("--cancels", "200", "--seed", "7", "--streams", "2")
    #expect(status == 0, "\(output)")
    for phase in ["connecting", "handshake", "waiting", "streaming"] {
      #expect(output.contains("\(phase): "), "\(output)")
    }
  }

  @Test(.enabled(if: hasNamespaces, "needs a network namespace"))
  func `a name looked up on a dead resolver is among them`() throws {
    let (status, output) = try storm("--cancels", "30", "--streams", "1")
    #expect(status == 0, "\(output)")
    #expect(output.contains("resolving: "), "\(output)")
  }
}
