#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file descriptor, closed when it is let go.
final class Descriptor: Sendable {
  struct Failure: Error {
    let call: String
    let number: Int32

    init(_ call: String) {
      self.call = call
      number = errno
    }
  }

  let number: Int32

  init(_ number: Int32) {
    self.number = number
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    close(number)
  }

  static func pipe() throws(Failure) -> (reader: Descriptor, writer: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw Failure("pipe") }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// A pseudo-terminal: what is written to one end comes out of the other.
  static func terminal() throws(Failure) -> (outer: Descriptor, inner: Descriptor) {
    var outer: Int32 = -1
    var inner: Int32 = -1
    guard unsafe openpty(&outer, &inner, nil, nil, nil) == 0 else { throw Failure("openpty") }
    let ends = (outer: Descriptor(outer), inner: Descriptor(inner))
    // Without the terminal's own changes to what is written.
    var settings = termios()
    guard unsafe tcgetattr(inner, &settings) == 0 else { throw Failure("tcgetattr") }
    settings.c_oflag &= ~tcflag_t(OPOST)
    guard unsafe tcsetattr(inner, TCSANOW, &settings) == 0 else { throw Failure("tcsetattr") }
    return ends
  }

  /// A nameless file with these bytes, to be read from the start.
  static func temporaryFile(_ bytes: [UInt8]) throws(Failure) -> Descriptor {
    guard let file = unsafe tmpfile() else { throw Failure("tmpfile") }
    defer { unsafe fclose(file) }
    let copy = Descriptor(dup(unsafe fileno(file)))
    guard unsafe write(copy.number, bytes, bytes.count) == bytes.count else {
      throw Failure("write")
    }
    guard lseek(copy.number, 0, SEEK_SET) == 0 else { throw Failure("lseek") }
    return copy
  }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 {
  unsafe pipe(&ends)
}
