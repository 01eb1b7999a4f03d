import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Collects what a process writes, on a thread of its own.
final class Reader: Sendable {
  private struct Waiter {
    let isEnough: @Sendable (String) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
    var stopsReading = false
    var waiters: [Waiter] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func takeContent() -> [CheckedContinuation<Void, Never>] {
      let text = text
      let content = waiters.filter { hasEnded || $0.isEnough(text) }
      waiters.removeAll { hasEnded || $0.isEnough(text) }
      return content.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// - Parameter limit: reads so many bytes and then no more; nil: to the end.
  init(_ descriptor: Descriptor?, limit: Int? = nil) {
    guard let descriptor else {
      state.withLock { $0.hasEnded = true }
      return
    }
    DispatchQueue.global().async { self.read(descriptor, limit: limit) }
  }

  var text: String { state.withLock { $0.text } }

  /// Closes the reading end with the next bytes that come.
  func stopReading() {
    state.withLock { $0.stopsReading = true }
  }

  func wait(_ isEnough: @escaping @Sendable (String) -> Bool) async {
    await withCheckedContinuation { continuation in
      let content = state.withLock { state in
        state.waiters.append(Waiter(isEnough: isEnough, continuation: continuation))
        return state.takeContent()
      }
      for continuation in content { continuation.resume() }
    }
  }

  private func read(_ descriptor: Descriptor, limit: Int?) {
    var buffer = [UInt8](repeating: 0, count: limit ?? 1 << 16)
    var goesOn = true
    while goesOn {
      let count = systemRead(descriptor.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      let content = state.withLock { state in
        state.bytes += buffer.prefix(max(0, count))
        // A pseudo-terminal whose other end has gone says EIO.
        goesOn = count > 0 && !state.stopsReading && limit == nil
        state.hasEnded = !goesOn
        return state.takeContent()
      }
      for continuation in content { continuation.resume() }
    }
  }
}

/// The system's call, under a name that the method does not have.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
  unsafe read(descriptor, &buffer, count)
}
