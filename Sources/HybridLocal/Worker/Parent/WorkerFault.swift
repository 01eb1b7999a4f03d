package import HybridCore

/// Why a worker's process is no more.
package enum WorkerFault: Error, Sendable, Hashable {
  /// The program could not be started; the system's error number.
  case notStarted(path: String, errno: Int32)
  /// It ended by itself.
  case ended(WorkerExit)
  /// It said what it must not; it was ended for that.
  case brokeProtocol(WireError)
  /// It got on with nothing for so long; it was ended for that.
  case stalled(Duration)
  /// It said for so long that it got on, and nothing else; it was ended for that.
  case onlyBeats(Duration)
  /// It did not give up a request that was cancelled, or whose deadline had passed, long ago; it was ended
  /// for that.
  case overdue
  /// Its owner wanted it.
  case closed
}

/// How a process ended.
package enum WorkerExit: Sendable, Hashable {
  case status(Int32)
  case signal(Int32)
  /// Somebody else in this process took the news.
  case unknown

  /// - Parameter status: as `waitpid` has it.
  package init(waited status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
  }

  var words: String {
    switch self {
    case .status(let status): "ended with status \(status)"
    case .signal(let number): "was ended by \(Self.name(of: number))"
    case .unknown: "ended"
    }
  }

  /// As `kill -l` has it, on Linux and most others.
  static func name(of signal: Int32) -> String {
    switch signal {
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 8: "SIGFPE"
    case 9: "SIGKILL"
    case 11: "SIGSEGV"
    case 15: "SIGTERM"
    default: isBusError(signal) ? "SIGBUS" : "signal \(signal)"
    }
  }

  private static func isBusError(_ signal: Int32) -> Bool {
    #if os(Linux)
      signal == 7
    #else
      signal == 10
    #endif
  }
}

extension WorkerFault {
  /// The error that its requests get.
  ///
  /// - Parameters:
  ///   - lastWords: what it wrote to stderr at last.
  ///   - restarts: how often it had been started anew before.
  package func error(lastWords: String, restarts: Int) -> HybridError {
    var details: JSONObject = ["restarts": .int(restarts)]
    if !lastWords.isEmpty { details["stderr"] = .string(lastWords) }
    func lost(_ message: String, _ nextStep: String) -> HybridError {
      HybridError(.engineLost, message, nextStep: nextStep, details: details, side: .local)
    }
    switch self {
    case .notStarted(let path, let number):
      return HybridError(
        .invalidConfiguration, "the worker's program cannot be started (error \(number))",
        nextStep: "Check the path \(path)",
        details: ["errno": .int(Int(number)), "path": .string(path)], side: .local)
    case .ended(let exit):
      switch exit {
      case .signal(let number): details["signal"] = .string(WorkerExit.name(of: number))
      case .status(let status): details["status"] = .int(Int(status))
      case .unknown: break
      }
      return lost(
        "the local model's worker \(exit.words)",
        "Ask again: another one is started; if it recurs, do not trust the model file")
    case .brokeProtocol(let problem):
      details["problem"] = .string(problem.problem)
      return lost(
        "the local model's worker was ended for what it said: \(problem.problem)",
        "Use a worker of the same version; if it is, do not trust the model file")
    case .stalled(let limit):
      // Awake: see `StallWatch`.
      details["stallLimit"] = .seconds(limit)
      return lost(
        "the local model's worker got on with nothing for \(limit.inSeconds) seconds and was ended",
        "Ask again, or allow more time by `stallLimit`")
    case .onlyBeats(let limit):
      details["progressLimit"] = .seconds(limit)
      return lost(
        "the local model's worker said for \(limit.inSeconds) seconds that it got on, and nothing else,"
          + " and was ended",
        "Ask again, or allow more time by `progressLimit`")
    case .overdue:
      return lost(
        "the local model's worker did not give up a request that was over, and was ended",
        "Ask again: another one is started")
    case .closed: return Self.closedError
    }
  }

  static let closedError = HybridError(
    .engineLost, "the local model's worker was closed", nextStep: "Make a new one", side: .local)
}
