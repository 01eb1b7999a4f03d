import HybridCore
import Testing

@testable import HybridRemote

/// The transport's parts that need neither sockets nor time.
struct TransportPartsTests {
  private let limits = TransportLimits(
    connect: .seconds(1), firstByte: .seconds(2), idle: .seconds(3), total: .seconds(60))

  private func at(_ seconds: Int) -> Moment { Moment(sinceOrigin: .seconds(seconds)) }

  @Test func `each phase has its limit, and the total bounds them all`() {
    var clock = TransferClock(limits: limits, start: at(0))
    #expect(clock.next?.code == .timeoutConnect)
    #expect(clock.next?.moment == at(1))
    clock.connected(at: at(10))
    #expect(clock.next?.code == .timeoutFirstByte)
    #expect(clock.next?.moment == at(12))
    // A connection used before may be ready twice; the first counts.
    clock.connected(at: at(11))
    #expect(clock.next?.moment == at(12))
    clock.received(at: at(12))
    #expect(clock.next?.code == .timeoutIdle)
    #expect(clock.next?.moment == at(15))
    clock.received(at: at(59))
    #expect(clock.next?.code == .timeoutTotal)
    #expect(clock.next?.moment == at(60))
  }

  @Test func `only the total runs while nobody pulls`() {
    var clock = TransferClock(limits: limits, start: at(0))
    clock.received(at: at(1))
    clock.paused()
    #expect(clock.next?.code == .timeoutTotal)
    clock.resumed(at: at(30))
    #expect(clock.next?.moment == at(33))
    #expect(TransferClock(limits: TransportLimits(), start: at(0)).next == nil)
  }

  @Test func `the rest of an answer that is not needed has a short limit of its own`() {
    var clock = TransferClock(limits: TransportLimits(), start: at(0))
    clock.draining(at: at(5))
    #expect(clock.next?.moment == at(5) + .milliseconds(250))
  }

  private func head(_ text: String) -> HeadReader.Head? {
    var reader = HeadReader()
    // By bytes: a CR LF is one character.
    for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
      if case .complete(let head) = reader.read(line: Array(line) + [0x0a]) { return head }
    }
    return nil
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", 200, "1.1", ["A": "1"]),
      ("HTTP/2 204\r\na:1\r\n\r\n", 204, "2", ["A": "1"]),
      ("HTTP/1.0 500\nA:\t x y \t\n\n", 500, "1.0", ["A": "x y"]),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nB: 2\r\n\r\n", 200, "1.1", ["B": "2"]),
      ("HTTP/1.1 103 Hints\r\nA: 1\r\n\r\nHTTP/1.1 404 No\r\n\r\n", 404, "1.1", [:]),
      ("HTTP/1.1 200 OK\r\nno colon\r\nA: b:c\r\n\r\n", 200, "1.1", ["A": "b:c"]),
    ] as [(String, Int, String, [String: String])])
  func `heads`(text: String, status: Int, version: String, fields: [String: String]) throws {
    let head = try #require(self.head(text))
    #expect(head.status == status)
    #expect(head.version.rawValue == version)
    #expect(
      Dictionary(uniqueKeysWithValues: head.headers.fields.map { ($0.name.uppercased(), $0.value) })
        == fields)
  }

  @Test func `trailers are no head`() {
    var reader = HeadReader()
    for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { _ = reader.read(line: Array(line.utf8)) }
    #expect(reader.read(line: Array("X-Trailer: 1\r\n".utf8)) == .more)
    #expect(reader.read(line: Array("\r\n".utf8)) == .more)
  }

  @Test(
    arguments: [
      (["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": "/b"], "/a" as String?),
      (["CURL_CA_BUNDLE": "/b"], "/b"), (["SSL_CERT_FILE": ""], "/etc/ssl/cert.pem"),
      ([:], "/etc/ssl/cert.pem"),
    ] as [([String: String], String?)])
  func `certificates`(environment: [String: String], path: String?) {
    #expect(
      CertificateBundle.path(
        environment: { environment[$0] }, isReadable: { $0 == "/etc/ssl/cert.pem" }) == path)
  }

  @Test func `without any bundle libcurl keeps its own`() {
    #expect(CertificateBundle.path(environment: { _ in nil }, isReadable: { _ in false }) == nil)
  }
}
