#if LocalLlama
  private import CHybridProcess
  private import HybridCore

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #else
    private import Darwin
  #endif

  /// The whole life of a process that ``LocalWorker`` started.
  ///
  /// A program may be its own worker: its `main` begins with ``runIfWorker()``.
  public enum WorkerMain {
    /// The environment variable by which a process knows that it is a worker.
    static let mark = "HYBRIDKIT_WORKER"

    /// Whether this process was started as a worker.
    public static var isWorker: Bool { unsafe getenv(mark) != nil }

    /// Call it before anything else: where this process is a worker, it never returns.
    public static func runIfWorker() {
      if isWorker { run() }
    }

    /// Serves until the parent wants no more or has gone, then ends the process.
    ///
    /// Ends at once with status 64 where ``LocalWorker`` did not start it.
    public static func run() -> Never {
      guard isWorker, isSocket(WorkerStream.descriptor) else {
        complain("a worker is started by the LocalWorker of a program, not by hand")
        _exit(64)
      }
      if hybrid_process_must_sweep() != 0 { sweep(from: WorkerStream.descriptor + 1) }
      // What else a program has in its environment is none of its own children's business.
      unsafe unsetenv(mark)
      // The parent decides; its end is this process's.
      for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { ignore(signal) }
      let failure = unsafe hybrid_process_confine("hybrid-worker")
      if failure != 0 {
        complain("the worker cannot give up its rights (error \(failure))")
        _exit(71)
      }
      let server = WorkerServer(WorkerLink(WorkerStream.descriptor)) { _exit($0) }
      server.serve()
      _exit(0)
    }

    /// Closes what the parent's threads had opened while they started this process.
    ///
    /// - Parameter walks: one by one, as on Linux before 5.9.
    package static func sweep(from first: Int32, walks: Bool = false) {
      hybrid_process_sweep(first, walks ? 1 : 0)
    }

    private static func isSocket(_ number: Int32) -> Bool {
      var kind: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &size) == 0
    }

    private static func ignore(_ number: Int32) {
      signal(number, SIG_IGN)
    }

    /// To stderr, whose end the parent tells.
    static func complain(_ words: String) {
      let bytes = Array("\(words)\n".utf8)
      _ = unsafe write(2, bytes, bytes.count)
    }

    /// Sets what can only be set before the model comes.
    ///
    /// - Returns: 0, or the system's error number.
    static func limit(memory: Int?, niceness: Int) -> Int32 {
      if niceness != 0, setpriority(priorityOfProcess, 0, Int32(niceness)) != 0 { return errno }
      return memory.map { hybrid_process_limit_memory(UInt64($0)) } ?? 0
    }

    #if canImport(Glibc)
      private static let priorityOfProcess = __priority_which_t(PRIO_PROCESS.rawValue)
    #else
      private static let priorityOfProcess = PRIO_PROCESS
    #endif

    /// This very program, by a name that stays its own when its file is replaced.
    static var ownProgram: String {
      #if os(Linux)
        "/proc/self/exe"
      #else
        CommandLine.arguments.first ?? ""
      #endif
    }

    /// What a worker sees of this process's environment, and its mark.
    static var environment: [String: String] {
      var environment = ProcessEnvironment.variables
      // Of the dynamic loader, without which it may not start.
      if let path = unsafe getenv("LD_LIBRARY_PATH") {
        environment["LD_LIBRARY_PATH"] = unsafe String(cString: path)
      }
      environment[mark] = "\(WorkerReply.version)"
      // Its crash is to be told by the parent, in one line and at once.
      environment["GGML_NO_BACKTRACE"] = "1"
      environment["SWIFT_BACKTRACE"] = "enable=no"
      return environment
    }
  }
#endif
