#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A thread of one's own, for work that would block Swift's cooperative pool. Nothing waits for it.
///
/// It takes no signals: those belong to the application's threads. SIGPIPE among them: a peer that has
/// gone must end a write with an error, not the process.
package enum OwnThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs `body` on a new thread with a stack of 8 MiB.
  ///
  /// - Parameter side: whose thread it is; the error names it.
  /// - Throws: `internal` where the system has no thread left; then `body` never runs.
  package static func start(
    for side: Side, _ body: @escaping @Sendable () -> Void
  ) throws(HybridError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)

    // A thread begins with its maker's mask: so there is no moment in which a signal could meet it.
    var all = sigset_t()
    var own = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &own)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &own, nil) }

    // Retained for the thread, which takes it over; released here where there is none.
    let box = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        #if canImport(Darwin)
          let argument: UnsafeMutableRawPointer? = unsafe argument
        #endif
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw HybridError(
        .internal, "the system has no thread left for the \(side.rawValue) side (error \(code))",
        nextStep: "Raise the limit on processes", details: ["errno": .int(Int(code))], side: side)
    }
  }
}
