private import Dispatch
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// One end of the stream between a worker and its parent. Written in order by one queue, so that no
/// writer waits; read by the thread that owns it.
final class WorkerLink: Sendable {
  private let number: Int32
  private let queue = DispatchQueue(label: "hybridkit.worker.write")
  private let isClosed = Mutex(false)
  private let isEnded = Atomic(false)

  /// - Parameter number: a stream socket, closed by ``close()`` or with this.
  init(_ number: Int32) {
    self.number = number
    #if canImport(Darwin)
      var isOn: Int32 = 1
      unsafe setsockopt(
        number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit {
    close()
  }

  /// Writes a frame after those before it. A peer that has gone does not matter: reading tells.
  func send(_ bytes: [UInt8]) {
    queue.async { [self] in
      // The descriptor's number belongs to somebody else once it is closed.
      isClosed.withLock { isClosed in
        if !isClosed { Self.write(bytes, to: number) }
      }
    }
  }

  private static func write(_ bytes: [UInt8], to number: Int32) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe systemSend(
          number, bytes.baseAddress?.advanced(by: done), bytes.count - done, flags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }

  /// Waits until what was sent has left.
  func flush() {
    queue.sync {}
  }

  /// Waits for the peer's next bytes, or for those of another descriptor.
  ///
  /// - Parameter other: another to wait for; -1 for none.
  /// - Returns: which of the two have something to read, or have ended.
  func wait(beside other: Int32 = -1) -> (own: Bool, other: Bool) {
    var waited = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&waited, nfds_t(waited.count), -1) < 0, errno == EINTR {}
    return (waited[0].revents != 0, waited[1].revents != 0)
  }

  /// The next bytes, at most 64 KiB; empty at the end, or where the stream is broken.
  func read() -> [UInt8] {
    Self.read(number, flags: 0)
  }

  /// The same of a socket that is not waited for.
  static func readNow(_ number: Int32) -> [UInt8] {
    read(number, flags: Int32(MSG_DONTWAIT))
  }

  private static func read(_ number: Int32, flags: Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
      var count: Int
      repeat {
        count = unsafe recv(number, buffer.baseAddress, buffer.count, flags)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
  }

  /// Nothing goes out or comes in any more.
  func close() {
    // Once: the number may be another's later.
    if isEnded.exchange(true, ordering: .relaxed) { return }
    // Ends a write that waits for room.
    shutdown(number, Int32(SHUT_RDWR))
    isClosed.withLock { isClosed in
      isClosed = true
      systemClose(number)
    }
  }
}
