#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A pipe that counts: each write lets one `take` succeed.
final class Pipe: Sendable {
  let reader: Int32
  private let writer: Int32

  init() throws(LoopbackGateway.SystemError) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw LoopbackGateway.SystemError(call: "pipe") }
    reader = ends[0]
    writer = ends[1]
    // Two threads may see the same byte; the slower one must not hang on it.
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(reader)
    close(writer)
  }

  func put() {
    var byte: UInt8 = 1
    _ = unsafe write(writer, &byte, 1)
  }

  func take() -> Bool {
    var byte: UInt8 = 0
    return unsafe read(reader, &byte, 1) == 1
  }
}
