#if LocalLlama
  package import HybridCore

  /// What a parent says to its worker. The number is a call's, given by the parent, from 1 up.
  package enum WorkerCommand: Sendable, Hashable {
    /// The first: which model, and how.
    case open(WorkerSettings)
    case start(Int, WorkerOrder)
    /// Stop in good order: what there is still comes, then the end.
    case cancel(Int)
    /// Nobody reads any more: stop, and only say when that is done.
    case drop(Int)
    /// So many bytes of a call's events have been read.
    case credit(Int, bytes: Int)
    case status(Int)
    case measure(Int, ChatRequest)
    case load(Int)
    case unload(Int)
    case prewarm(Int, [ChatMessage], remaining: Duration?)
    /// End what runs, free everything, and go.
    case close
  }

  /// What a worker is made for.
  package struct WorkerSettings: Sendable, Hashable {
    package var modelPath: String
    package var options: LocalExecutor.Options
    /// Bytes of address space.
    package var memoryLimit: Int?
    package var niceness: Int
    /// How often it tells that it gets on, while nothing else does.
    package var beat: Duration

    package init(
      modelPath: String, options: LocalExecutor.Options, memoryLimit: Int?, niceness: Int,
      beat: Duration
    ) {
      self.modelPath = modelPath
      self.options = options
      self.memoryLimit = memoryLimit
      self.niceness = niceness
      self.beat = beat
    }
  }

  /// A request, with what can cross of its context: permission was asked before, and attempts are told
  /// by the parent.
  package struct WorkerOrder: Sendable, Hashable {
    package var request: ChatRequest
    /// The time that is left.
    package var remaining: Duration?
    /// The failures after which the loaded model is given up, sorted.
    package var breaking: [ErrorCode]
    /// Bytes of events that may be under way unread.
    package var window: Int

    package init(
      request: ChatRequest, remaining: Duration?, breaking: [ErrorCode], window: Int
    ) {
      self.request = request
      self.remaining = remaining
      self.breaking = breaking
      self.window = window
    }
  }

  extension WorkerCommand: WireValue {
    package var wire: JSONValue {
      switch self {
      case .open(let settings): WireCase.wire("open", settings)
      case .start(let id, let order): WireCase.wire("start", [id.wire, order.wire])
      case .cancel(let id): WireCase.wire("cancel", id)
      case .drop(let id): WireCase.wire("drop", id)
      case .credit(let id, let bytes): WireCase.wire("credit", [id, bytes])
      case .status(let id): WireCase.wire("status", id)
      case .measure(let id, let request): WireCase.wire("measure", [id.wire, request.wire])
      case .load(let id): WireCase.wire("load", id)
      case .unload(let id): WireCase.wire("unload", id)
      case .prewarm(let id, let messages, let remaining):
        WireCase.wire("prewarm", [id.wire, messages.wire, remaining.wire])
      case .close: "close"
      }
    }

    package init(wire: JSONValue) throws(WireError) {
      if wire == "close" {
        self = .close
        return
      }
      let one = try WireCase(wire)
      func list(_ count: Int) throws(WireError) -> [JSONValue] {
        let parts: [JSONValue] = try one.read()
        guard parts.count == count else { throw WireError("\(one.name): another length") }
        return parts
      }
      switch one.name {
      case "open": self = .open(try one.read())
      case "start":
        let parts = try list(2)
        self = .start(try Int(wire: parts[0]), try WorkerOrder(wire: parts[1]))
      case "cancel": self = .cancel(try one.read())
      case "drop": self = .drop(try one.read())
      case "credit":
        let parts = try list(2)
        self = .credit(try Int(wire: parts[0]), bytes: try Int(wire: parts[1]))
      case "status": self = .status(try one.read())
      case "measure":
        let parts = try list(2)
        self = .measure(try Int(wire: parts[0]), try ChatRequest(wire: parts[1]))
      case "load": self = .load(try one.read())
      case "unload": self = .unload(try one.read())
      case "prewarm":
        let parts = try list(3)
        self = .prewarm(
          try Int(wire: parts[0]), try [ChatMessage](wire: parts[1]),
          remaining: try Duration?(wire: parts[2]))
      default: throw one.unknown
      }
    }
  }

  extension WorkerCommand {
    /// The call that a message is about, though the rest of it may not be understood.
    static func call(in message: JSONValue) -> Int? {
      guard let payload = message.object?.members.first?.value else { return nil }
      return payload.int ?? payload.array?.first?.int
    }
  }

  extension WorkerSettings: WireValue {
    package var wire: JSONValue {
      [
        "modelPath": modelPath.wire, "options": options.wire, "memoryLimit": memoryLimit.wire,
        "niceness": niceness.wire, "beat": beat.wire,
      ]
    }

    package init(wire: JSONValue) throws(WireError) {
      let fields = try WireFields(
        wire, "modelPath", "options", "memoryLimit", "niceness", "beat")
      self.init(
        modelPath: try fields["modelPath"], options: try fields["options"],
        memoryLimit: try fields["memoryLimit"], niceness: try fields["niceness"],
        beat: try fields["beat"])
    }
  }

  extension WorkerOrder: WireValue {
    package var wire: JSONValue {
      [
        "request": request.wire, "remaining": remaining.wire, "breaking": breaking.wire,
        "window": window.wire,
      ]
    }

    package init(wire: JSONValue) throws(WireError) {
      let fields = try WireFields(wire, "request", "remaining", "breaking", "window")
      self.init(
        request: try fields["request"], remaining: try fields["remaining"],
        breaking: try fields["breaking"], window: try fields["window"])
    }
  }

  extension FailureTable {
    /// All of a table that a local executor asks.
    package var breaking: [ErrorCode] {
      rows.filter { $0.localEffect == .modelFailed }.flatMap { codes(of: $0.kind) }
        .sorted { $0.rawValue < $1.rawValue }
    }

    /// A table that answers a local executor as the one with these failures does.
    package init(breaking: [ErrorCode]) {
      self = .standard
      for code in Self.standard.breaking where !breaking.contains(code) {
        move(code, to: .localRefusal)
      }
      for code in breaking { move(code, to: .localFailure) }
    }
  }
#endif
