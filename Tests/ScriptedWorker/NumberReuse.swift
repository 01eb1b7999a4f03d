#if LocalLlama
  import HybridCore
  import HybridLocal

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// A worker's process that was reaped by somebody else, and another one that got its number.
  enum NumberReuse {
    private static let program = WorkerProgram(
      executable: CommandLine.arguments[0], arguments: ["read", "ready", "drain"], environment: [:])

    private static func start() throws -> (process: WorkerProcess, stream: Int32) {
      let (stream, words) = (try WorkerStream.pair(), try WorkerStream.pair())
      let process = try WorkerProcess(program, stream: stream.1, words: words.1)
      for end in [stream.1, words.0, words.1] { close(end) }
      return (process, stream.0)
    }

    /// - Returns: "spared", "ended", or why it was not tried.
    static func run() throws -> String {
      // Children that end are reaped by the system at once.
      signal(SIGCHLD, SIG_IGN)
      for _ in 0..<100 {
        let former = try start()
        kill(former.process.id, SIGKILL)
        while kill(former.process.id, 0) == 0 { sched_yield() }
        guard let file = unsafe fopen("/proc/sys/kernel/ns_last_pid", "w") else {
          return "numbers cannot be chosen"
        }
        unsafe fputs("\(former.process.id - 1)", file)
        unsafe fclose(file)
        let other = try start()
        defer { other.process.kill() }
        // Somebody else's process may have come between.
        guard other.process.id == former.process.id else { continue }
        former.process.kill()
        // It answers, unless it was ended before it could read this.
        let message: [UInt8] = [0, 0, 0, 1, 0x30]
        _ = unsafe send(other.stream, message, message.count, Int32(MSG_NOSIGNAL))
        var answer: UInt8 = 0
        return unsafe recv(other.stream, &answer, 1, 0) == 1 ? "spared" : "ended"
      }
      return "the number was never free"
    }
  }
#endif
