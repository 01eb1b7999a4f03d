internal import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Waits for Ctrl-C and for the request to end.
///
/// The first one asks the running command to stop in order, where it has said how; the second one,
/// or the first while nothing can be stopped, ends the process at once.
final class SignalWatch: Sendable {
  private let state = Mutex(InterruptState())

  /// Call before any other thread exists: they inherit the mask that keeps the signals for
  /// ``wait()``. From here on, writing to a closed pipe is an error and no signal.
  init() {
    signal(SIGPIPE, SIG_IGN)
    var signals = Interrupt.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for signals as long as the process lives.
  ///
  /// The main thread does it. An asynchronous main would hand that thread to Dispatch, which lets all
  /// signals through there, and the first one would kill the process.
  func wait() -> Never {
    var signals = Interrupt.signals
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      if let signal = Interrupt.allCases.first(where: { $0.number == number }) { note(signal) }
    }
  }

  /// Says how to stop. Called at once where the signal has come already.
  func whenInterrupted(_ stop: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { $0.arm(stop) }
    if isLate { stop() }
  }

  /// The first signal that came since the watch was armed.
  var received: Interrupt? { state.withLock { $0.received } }

  /// From now on a signal waits for ``whenInterrupted(_:)`` instead of ending the process.
  func hold() {
    state.withLock { $0.hold() }
  }

  private func note(_ signal: Interrupt) {
    switch state.withLock({ $0.note(signal) }) {
    case .stop(let stop): stop()
    case .wait: break
    case .exit(let code): _exit(code.rawValue)
    }
  }
}

/// A signal that ends a command.
enum Interrupt: CaseIterable, Sendable {
  case interrupt
  case terminate

  fileprivate var number: Int32 { self == .interrupt ? SIGINT : SIGTERM }

  fileprivate static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in allCases { unsafe sigaddset(&signals, signal.number) }
    return signals
  }

  /// What it did to a command.
  var word: String { self == .interrupt ? "interrupted" : "terminated" }

  var exitCode: ExitCode { self == .interrupt ? .interrupted : .terminated }
}

/// What to do about each signal, as a value.
struct InterruptState: Sendable {
  enum Action: Sendable {
    case stop(@Sendable () -> Void)
    /// Nothing to stop yet; whoever arms the state is told.
    case wait
    case exit(ExitCode)
  }

  private(set) var received: Interrupt?
  private var isHeld = false
  private var stop: (@Sendable () -> Void)?

  mutating func hold() {
    isHeld = true
  }

  /// - Returns: true where the signal has come already.
  mutating func arm(_ stop: @escaping @Sendable () -> Void) -> Bool {
    isHeld = true
    self.stop = stop
    return received != nil
  }

  mutating func note(_ signal: Interrupt) -> Action {
    guard isHeld, received == nil else { return .exit(signal.exitCode) }
    received = signal
    return stop.map { .stop($0) } ?? .wait
  }
}
