package import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A thread of one's own, for work that would block Swift's cooperative pool.
package enum OwnThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs `body` on a new thread with a stack of 8 MiB.
  ///
  /// - Throws: `internal` when the system has no thread left.
  package static func start(
    _ body: @escaping @Sendable () -> Void
  ) throws(HybridError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)

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
          let box = unsafe argument as UnsafeMutableRawPointer?
        #else
          let box = unsafe argument
        #endif
        if let box = unsafe box {
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw HybridError(
        .internal, "the system has no thread left (error \(code))",
        nextStep: "Raise the limit on processes", details: ["errno": .int(Int(code))], side: .local)
    }
  }
}
