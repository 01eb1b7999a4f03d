package import HybridCore

/// What a worker says to its parent, which believes none of it unchecked. The number is that of the
/// call that it answers.
package enum WorkerReply: Sendable {
  /// The first: it stands, and speaks this version of the protocol.
  case ready(version: Int)
  /// The run is in the queue of a loaded model.
  case accepted(Int)
  /// Output of a run; the last one is ``ExecutorEvent/finished(_:)``.
  case event(Int, ExecutorEvent)
  /// The engine has done with a run, whose last events may not all be told yet. nil: it ended well.
  case ran(Int, ErrorCode?)
  /// The call ended with an error.
  case failed(Int, HybridError)
  case status(Int, LocalStatus)
  case measured(Int, PromptMeasurement)
  /// How far a load has come: 0…1.
  case progress(Int, Double)
  /// Loaded, unloaded, or so many tokens computed beforehand.
  case done(Int, tokens: Int)
  /// It gets on.
  case beat

  /// The version of the protocol, changed with every field.
  package static let version = 1
}

extension WorkerReply {
  /// - Parameter now: by the clock that the moments in it are of.
  package func wire(at now: Moment) -> JSONValue {
    switch self {
    case .ready(let version): WireCase.wire("ready", version)
    case .accepted(let id): WireCase.wire("accepted", id)
    case .event(let id, let event): WireCase.wire("event", [id.wire, event.wire])
    case .ran(let id, let code): WireCase.wire("ran", [id.wire, code.wire])
    case .failed(let id, let error): WireCase.wire("failed", [id.wire, error.wire])
    case .status(let id, let status): WireCase.wire("status", [id.wire, status.wire(at: now)])
    case .measured(let id, let length): WireCase.wire("measured", [id.wire, length.wire(at: now)])
    case .progress(let id, let fraction): WireCase.wire("progress", [id.wire, fraction.wire])
    case .done(let id, let tokens): WireCase.wire("done", [id, tokens])
    case .beat: "beat"
    }
  }

  package init(wire: JSONValue, at now: Moment) throws(WireError) {
    if wire == "beat" {
      self = .beat
      return
    }
    let one = try WireCase(wire)
    switch one.name {
    case "ready": self = .ready(version: try one.read())
    case "accepted": self = .accepted(try one.read())
    default:
      let parts: [JSONValue] = try one.read()
      guard parts.count == 2 else { throw WireError("\(one.name): no pair") }
      let id = try Int(wire: parts[0])
      switch one.name {
      case "event": self = .event(id, try ExecutorEvent(wire: parts[1]))
      case "ran": self = .ran(id, try ErrorCode?(wire: parts[1]))
      case "failed": self = .failed(id, try HybridError(wire: parts[1]))
      case "status": self = .status(id, try LocalStatus(wire: parts[1], at: now))
      case "measured": self = .measured(id, try PromptMeasurement(wire: parts[1], at: now))
      case "progress":
        let fraction = try Double(wire: parts[1])
        guard (0...1).contains(fraction) else { throw WireError("progress: out of range") }
        self = .progress(id, fraction)
      case "done":
        let tokens = try Int(wire: parts[1])
        guard (0...Int(Int32.max)).contains(tokens) else { throw WireError("done: out of range") }
        self = .done(id, tokens: tokens)
      default: throw one.unknown
      }
    }
  }
}
