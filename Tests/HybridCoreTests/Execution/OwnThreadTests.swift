import HybridCore
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite(.timeLimit(.minutes(10)))
struct OwnThreadTests {
  /// What `body` finds on a thread of its own.
  private func found<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async throws -> Value? {
    let channel = EventChannel<Value>(onCancel: {})
    try OwnThread.start(for: .local) {
      channel.send(body())
      channel.finish()
    }
    return try await channel.next()
  }

  private static func blocks(_ signals: [Int32]) -> [Bool] {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
    return signals.map { unsafe sigismember(&mask, $0) == 1 }
  }

  @Test func `it runs beside its maker and takes no signals`() async throws {
    let signals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGUSR1]
    #expect(try await found { Self.blocks(signals) } == [true, true, true, true, true])
  }

  @Test func `its maker's own signals stay as they were`() throws {
    let before = Self.blocks([SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGUSR1])
    try OwnThread.start(for: .remote) {}
    #expect(Self.blocks([SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGUSR1]) == before)
  }

  /// Where the caller's frame begins, about.
  private static func place() -> UInt {
    var mark = 0
    return unsafe withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
  }

  /// Goes down until 4 MiB of stack are used, whatever a frame takes.
  @inline(never) private static func descend(from start: UInt) -> Bool {
    let here = place()
    // One more step's result is needed here: no tail call can save the stack.
    return max(start, here) - min(start, here) >= 4 << 20 || !(!descend(from: start))
  }

  @Test func `its stack holds what that of a system's own threads may not`() async throws {
    #expect(try await found { Self.descend(from: Self.place()) } == true)
  }
}
