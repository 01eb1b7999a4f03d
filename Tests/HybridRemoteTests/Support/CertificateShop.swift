import Foundation
import Testing

/// Certificates and keys, made by the system's `openssl` in a folder of their own. The folder goes
/// with this object.
final class CertificateShop: Sendable {
  /// `ca.pem` is the authority that tests trust, `other.pem` one that they do not.
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try write("index", "")
    try write("serial", "01\n")
    try write(
      "authority.conf",
      """
      [ca]
      default_ca = own
      [own]
      database = index
      serial = serial
      new_certs_dir = .
      certificate = ca.pem
      private_key = ca.key
      default_md = sha256
      policy = names
      unique_subject = no
      [names]
      commonName = supplied
      """)
    try authority("ca")
    try authority("other")
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  func path(_ name: String) -> String {
    directory.appending(path: name).path()
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: directory.appending(path: name))
  }

  @discardableResult
  func openssl(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let newKey = [
    "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
  ]

  private func authority(_ name: String) throws {
    try openssl(
      Self.newKey + [
        "-x509", "-keyout", "\(name).key", "-out", "\(name).pem", "-days", "2", "-subj",
        "/CN=\(name)",
      ])
  }

  /// Makes `NAME.pem` and `NAME.key`, signed by `ca`.
  ///
  /// - Parameters:
  ///   - subject: as in `IP:127.0.0.1`.
  ///   - start: days from now on; the validity is a day long.
  func certificate(_ name: String = "server", for subject: String, start: Int = 0) throws {
    try openssl(
      Self.newKey + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"])
    try write("names", "subjectAltName=\(subject)")
    let day = 86_400.0
    // An hour's room: a clock is read twice here.
    let begin = Date(timeIntervalSinceNow: Double(start) * day - 3600)
    try openssl([
      "ca", "-batch", "-notext", "-config", "authority.conf", "-extfile", "names", "-in",
      "\(name).csr", "-out", "\(name).pem", "-startdate", Self.text(begin), "-enddate",
      Self.text(begin.addingTimeInterval(day)),
    ])
  }

  /// Makes `NAME.pem` and `NAME.key`, signed by itself.
  func selfSigned(_ name: String = "server", for subject: String) throws {
    try openssl(
      Self.newKey + [
        "-x509", "-keyout", "\(name).key", "-out", "\(name).pem", "-days", "2", "-subj",
        "/CN=\(name)", "-addext", "subjectAltName=\(subject)", "-addext",
        "basicConstraints=critical,CA:FALSE",
      ])
  }

  /// `sha256//…` of a certificate's public key, as `openssl` computes it.
  func pin(of name: String) throws -> String {
    let key = try openssl(["x509", "-in", "\(name).pem", "-pubkey", "-noout"])
    try write("key.pub", key)
    try openssl(["pkey", "-pubin", "-in", "key.pub", "-outform", "der", "-out", "key.der"])
    try openssl(["dgst", "-sha256", "-binary", "-out", "key.digest", "key.der"])
    let digest = try Data(contentsOf: directory.appending(path: "key.digest"))
    return "sha256//" + digest.base64EncodedString()
  }

  /// As `openssl ca` reads times: `YYYYMMDDHHMMSSZ`.
  private static func text(_ date: Date) -> String {
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    return date.formatted(style).filter { $0 != "T" }
  }
}
