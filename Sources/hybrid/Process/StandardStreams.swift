internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The three descriptors that every process is given.
enum StandardStream: Int32, CaseIterable, Sendable {
  case input = 0
  case output = 1
  case error = 2

  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Opens the null device in place of each descriptor that the caller closed; otherwise the next
  /// file opened, a model say, would get its number and the answer would be written to it.
  ///
  /// - Returns: the streams that were closed.
  static func fillGaps() -> Set<StandardStream> {
    var closed: Set<StandardStream> = []
    for stream in allCases where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free number, which is this one: those below are open by now.
      _ = unsafe open("/dev/null", stream == .input ? O_RDONLY : O_WRONLY)
      closed.insert(stream)
    }
    return closed
  }
}

/// A descriptor read to its end, in pieces.
struct DescriptorReader {
  let descriptor: Int32

  /// The next bytes, at most `count`; empty at the end.
  ///
  /// - Throws: the system's error number.
  func read(upTo count: Int) throws(SystemFailure) -> [UInt8] {
    var failure: Int32?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var result: Int
      repeat {
        result = unsafe systemRead(descriptor, buffer)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      filled = max(0, result)
    }
    if let failure { throw SystemFailure(number: failure) }
    return bytes
  }
}

/// A descriptor written to without a buffer of its own: what returns has left the process.
struct DescriptorWriter: Sendable {
  let descriptor: Int32

  /// - Throws: the system's error number; `EPIPE` where the reader has gone.
  func write(_ text: String) throws(SystemFailure) {
    var text = text
    let failure = text.withUTF8 { bytes -> Int32? in
      var done = 0
      while done < bytes.count {
        let written = unsafe systemWrite(descriptor, bytes, from: done)
        if written >= 0 {
          done += written
        } else if errno == EAGAIN {
          // Somebody who shares the pipe made it non-blocking.
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          unsafe poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
    if let failure { throw SystemFailure(number: failure) }
  }
}

/// A system call's error number.
struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
  let number: Int32

  var description: String { unsafe String(cString: strerror(number)) }

  var isClosedPipe: Bool { number == EPIPE }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, from offset: Int
) -> Int {
  unsafe write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
}
