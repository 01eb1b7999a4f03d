import Foundation
import Testing

/// The system's `openssl s_server` on a free port of the loopback interface: answers each GET of
/// `/answer` with an empty JSON object. Ends with this object.
final class TLSPeer: Sendable {
  let port: String
  private let process: Process

  var url: String { "https://127.0.0.1:\(port)/answer" }
  var baseURL: String { "https://127.0.0.1:\(port)/v1" }

  /// - Parameter extra: more of `s_server`'s arguments.
  init(_ shop: CertificateShop, certificate: String = "server", _ extra: [String] = []) throws {
    try shop.write("answer", "HTTP/1.0 200 ok\r\nContent-Type: application/json\r\n\r\n{}")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments =
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key",
        "\(certificate).key", "-HTTP",
      ] + extra
    process.currentDirectoryURL = shop.directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    self.process = process
    var text = ""
    while text.firstRange(of: #/ACCEPT 127\.0\.0\.1:[0-9]+\n/#) == nil {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "s_server ended: \(text)")
      text += String(decoding: bytes, as: UTF8.self)
    }
    port = String(try #require(text.firstMatch(of: #/ACCEPT 127\.0\.0\.1:([0-9]+)/#)?.1))
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
