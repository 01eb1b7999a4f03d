private import CHybridProcess
package import HybridCore
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The program that a worker runs.
package struct WorkerProgram: Sendable, Hashable {
  package var executable: String
  package var arguments: [String]
  package var environment: [String: String]

  package init(executable: String, arguments: [String], environment: [String: String]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }
}

/// A process that was started here.
///
/// No signal of ours meets another process that has its number later: it goes through a handle of the
/// kernel's. Where there is none, it goes to the number only while that is an unreaped child's, and
/// reaping and signalling exclude each other.
package final class WorkerProcess: Sendable {
  package let id: Int32
  /// Its handle, -1 for none; nil once it was waited for.
  private let running: Mutex<Int32?>

  /// Starts a program with nothing of this process but two sockets: the stream as its descriptor 3, and
  /// what takes its words as 1 and 2.
  ///
  /// In a process group of its own, so that a terminal's Ctrl-C reaches the parent alone, which stops
  /// its requests in order. Call it on a thread that outlives the process: its end is the thread's.
  ///
  /// - Parameter walksDescriptors: what is open here is closed there one by one, as with a C library
  ///   that cannot close all; a worker then closes what was opened meanwhile.
  package init(
    _ program: WorkerProgram, stream: Int32, words: Int32, walksDescriptors: Bool = false
  ) throws(WorkerFault) {
    func check(_ code: Int32) throws(WorkerFault) {
      if code != 0 { throw .notStarted(path: program.executable, errno: code) }
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    try check(unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0))
    // Neither socket has one of these numbers: see `WorkerStream.pair`.
    try check(unsafe posix_spawn_file_actions_adddup2(&actions, stream, WorkerStream.descriptor))
    try check(unsafe posix_spawn_file_actions_adddup2(&actions, words, 2))
    try check(unsafe posix_spawn_file_actions_adddup2(&actions, 2, 1))
    var flags =
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP)
    #if canImport(Darwin)
      flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      let first = WorkerStream.descriptor + 1
      let failure = walksDescriptors ? ENOSYS : unsafe hybrid_process_close_from(&actions, first)
      if failure != 0 { try check(unsafe hybrid_process_close_open(&actions, first)) }
    #endif

    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(&attributes, flags)

    var argv = unsafe ([program.executable] + program.arguments).map { unsafe strdup($0) } + [nil]
    var envp = unsafe program.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
      for index in unsafe envp.indices { unsafe free(envp[index]) }
    }
    var process: pid_t = 0
    try check(
      unsafe posix_spawn(&process, program.executable, &actions, &attributes, &argv, &envp))
    id = process
    running = Mutex(hybrid_process_open_handle(process))
  }

  /// Ends it at once, unless it has ended.
  package func kill() {
    running.withLock { handle in
      if let handle { hybrid_process_kill(handle, id) }
    }
  }

  /// Whether a signal has stopped it, such as SIGSTOP.
  package var isStopped: Bool {
    running.withLock { $0 != nil && hybrid_process_is_stopped(id) != 0 }
  }

  /// Waits for its end, which must be near.
  package func wait() -> WorkerExit {
    // Not reaped yet, so that its number stays its own until no one can use it.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return running.withLock { handle in
      if let handle, handle >= 0 { systemClose(handle) }
      handle = nil
      var status: Int32 = 0
      var found: pid_t
      repeat {
        found = unsafe waitpid(id, &status, 0)
      } while found < 0 && errno == EINTR
      // Not so where the application has all children reaped for it.
      return found == id ? WorkerExit(waited: status) : .unknown
    }
  }
}

/// The stream as both processes know it.
package enum WorkerStream {
  static let descriptor: Int32 = 3

  /// Two ends of a stream that no other program started meanwhile inherits.
  package static func pair() throws(HybridError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let code = unsafe socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
      for end in ends where code == 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let code = unsafe socketpair(AF_UNIX, kind, 0, &ends)
    #endif
    guard code == 0 else { throw noDescriptor() }
    // The numbers below are those that the process to be started gets.
    for (place, end) in ends.enumerated() where end <= descriptor {
      ends[place] = fcntl(end, F_DUPFD_CLOEXEC, descriptor + 1)
      systemClose(end)
    }
    guard ends.allSatisfy({ $0 > descriptor }) else {
      defer { for end in ends where end >= 0 { systemClose(end) } }
      throw noDescriptor()
    }
    return (ends[0], ends[1])
  }

  private static func noDescriptor() -> HybridError {
    let number = errno
    return HybridError(
      .internal, "the system has no descriptor left for a worker (error \(number))",
      nextStep: "Raise the limit on open files", details: ["errno": .int(Int(number))],
      side: .local)
  }
}
