import Foundation
import HybridCore
import HybridRemote
import Testing

/// TLS against the system's `openssl s_server`, with certificates made for the purpose.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CurlTLSTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try authority("ca")
    try authority("other")
  }

  @discardableResult
  private func openssl(_ arguments: String...) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
    return process
  }

  private func authority(_ name: String) throws {
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", "\(name).key", "-out", "\(name).pem", "-days", "2", "-subj", "/CN=\(name)")
  }

  private func certificate(name: String, days: Int = 2) throws {
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
      "server.key", "-out", "server.csr", "-subj", "/CN=\(name)")
    try Data("subjectAltName=\(name)".utf8).write(to: directory.appending(path: "names"))
    try openssl(
      "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
      "-out", "server.pem", "-days", String(days), "-extfile", "names")
  }

  /// Serves one file by TLS while `body` runs.
  private func serving(
    _ extra: [String] = [], _ body: (_ url: String) async throws -> Void
  ) async throws {
    try Data("HTTP/1.0 200 ok\r\nContent-Type: application/json\r\n\r\n{}".utf8).write(
      to: directory.appending(path: "answer"))
    let server = Process()
    server.executableURL = URL(filePath: "/usr/bin/openssl")
    server.arguments =
      ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-HTTP"]
      + extra
    server.currentDirectoryURL = directory
    let output = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    server.standardInput = FileHandle.nullDevice
    try server.run()
    defer { server.terminate() }
    var text = ""
    while text.firstRange(of: #/ACCEPT 127\.0\.0\.1:[0-9]+\n/#) == nil {
      let bytes = output.fileHandleForReading.availableData
      try #require(!bytes.isEmpty, "s_server ended: \(text)")
      text += String(decoding: bytes, as: UTF8.self)
    }
    let port = try #require(text.firstMatch(of: #/ACCEPT 127\.0\.0\.1:([0-9]+)/#)?.1)
    try await body("https://127.0.0.1:\(port)/answer")
  }

  private func get(_ url: String, trusting authority: String) async throws(HybridError)
    -> TransportResponse
  {
    let path = directory.appending(path: "\(authority).pem").path()
    return try await CurlTransport(options: CurlTransport.Options(certificates: path)).send(
      TransportRequest(
        method: "GET", url: url,
        limits: TransportLimits(connect: .seconds(30), total: .seconds(60))))
  }

  @Test func `a certificate of a trusted authority is taken`() async throws {
    try certificate(name: "IP:127.0.0.1")
    try await serving { url in
      let response = try await get(url, trusting: "ca")
      #expect(response.status == 200)
      #expect(try await response.body.text() == "{}")
    }
  }

  @Test func `one of an unknown authority, for another name or expired is not`() async throws {
    try certificate(name: "IP:127.0.0.1")
    try await serving { url in
      let error = await #expect(throws: HybridError.self) { try await get(url, trusting: "other") }
      #expect(error?.code == .tls)
    }
    try certificate(name: "DNS:elsewhere.test")
    try await serving { url in
      let error = await #expect(throws: HybridError.self) { try await get(url, trusting: "ca") }
      #expect(error?.code == .tls)
    }
    try certificate(name: "IP:127.0.0.1", days: -1)
    try await serving { url in
      let error = await #expect(throws: HybridError.self) { try await get(url, trusting: "ca") }
      #expect(error?.code == .tls)
      #expect(error?.details["curl"]?.string?.contains("expired") == true)
    }
  }

  @Test func `a bundle that cannot be read says so`() async throws {
    try certificate(name: "IP:127.0.0.1")
    try await serving { url in
      let error = await #expect(throws: HybridError.self) { try await get(url, trusting: "absent") }
      #expect(error?.code == .tls)
      #expect(error?.nextStep?.contains("SSL_CERT_FILE") == true)
    }
  }
}
