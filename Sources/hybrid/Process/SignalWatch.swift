internal import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Waits for Ctrl-C and for the request to end, on a thread that does nothing else.
///
/// The first one asks the running command to stop in order, where it has said how; the second one,
/// or the first while nothing can be stopped, ends the process at once.
final class SignalWatch: Sendable {
  private let state = Mutex(InterruptState())

  /// Call before any other thread exists: they inherit the mask that keeps the signals for this
  /// watch. From here on, writing to a closed pipe is an error and no signal.
  static func start() -> SignalWatch {
    let watch = SignalWatch()
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in Interrupt.allCases { unsafe sigaddset(&signals, signal.number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)

    // Retained for the thread, which never ends.
    let context = unsafe Unmanaged.passRetained(watch).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    unsafe pthread_create(&thread, nil, { unsafe waitForSignals(context: $0) }, context)
    return watch
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

  fileprivate func note(_ signal: Interrupt) {
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

private func waitForSignals(context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(context).takeRetainedValue()
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  for signal in Interrupt.allCases { unsafe sigaddset(&signals, signal.number) }
  while true {
    var number: Int32 = 0
    guard unsafe sigwait(&signals, &number) == 0 else { continue }
    if let signal = Interrupt.allCases.first(where: { $0.number == number }) {
      watch.note(signal)
    }
  }
}
