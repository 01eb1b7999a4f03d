import Foundation
import Measuring

/// A network of this program's own, in which names are asked of a socket that nobody reads.
enum Namespace {
  static let argument = "--inside"

  /// - Returns: the exit status of this program in there; nil where no namespace is to be had.
  static func runInside(_ options: Options) throws -> Int32? {
    guard try run(["true"]) == 0 else { return nil }
    let file = FileManager.default.temporaryDirectory.appending(path: "resolv-\(UUID().uuidString)")
    // One try of a second: a thread that looks a name up stays as long as that.
    try Data("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"
      """
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return try run(
      ["sh", "-c", script, "sh", file.path(), program] + options.arguments + [argument])
  }

  private static func run(_ command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-rnm"] + command
    if command == ["true"] { process.standardError = FileHandle.nullDevice }
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Takes what is asked of the resolver, and never answers.
  ///
  /// - Returns: the socket, to be closed at the end.
  static func openDeadResolver() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let isBound = unsafe Loopback.withAddress(port: 53) { address, size in
      unsafe bind(descriptor, address, size) == 0
    }
    guard isBound else { throw UsageError("port 53 of the namespace cannot be had") }
    return descriptor
  }
}

enum Loopback {
  static func withAddress<Result>(
    port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
