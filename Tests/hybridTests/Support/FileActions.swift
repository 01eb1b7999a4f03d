#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What becomes of a new process's descriptors, and its start.
@safe struct FileActions: ~Copyable {
  private var actions: posix_spawn_file_actions_t
  /// Held until the process has its copies.
  private var used: [Descriptor] = []

  init() {
    #if canImport(Darwin)
      unsafe actions = nil
    #else
      unsafe actions = posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
  }

  deinit {
    var actions = unsafe actions
    unsafe posix_spawn_file_actions_destroy(&actions)
  }

  mutating func use(_ descriptor: Descriptor, as number: Int32) {
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
    used.append(descriptor)
  }

  mutating func open(_ path: String, _ flags: Int32, as number: Int32) {
    unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
  }

  mutating func close(_ number: Int32) {
    unsafe posix_spawn_file_actions_addclose(&actions, number)
  }

  /// Starts the program with every signal as it is by default, and none blocked.
  mutating func spawn(
    _ path: String, _ arguments: [String], environment: [String: String]
  ) throws(Descriptor.Failure) -> pid_t {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var envp = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
      for index in unsafe envp.indices { unsafe free(envp[index]) }
    }
    var process: pid_t = 0
    let failure = unsafe posix_spawn(&process, path, &actions, &attributes, &argv, &envp)
    guard failure == 0 else {
      errno = failure
      throw Descriptor.Failure("posix_spawn")
    }
    return process
  }
}
