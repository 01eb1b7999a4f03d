#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A thread that runs one closure and goes. Nothing waits for it.
enum OwnerThread {
  /// - Returns: false where the system has no thread left.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(Box(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(&thread, &attributes, main, box.toOpaque())
    if code != 0 { unsafe box.release() }
    return code == 0
  }

  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      { unsafe run($0) }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      { unsafe run($0!) }
  #endif

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // Signals belong to the application's threads. SIGPIPE among them: a peer that has gone must end
    // a write with an error, not the process.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
    unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}
