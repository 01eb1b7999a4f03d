public import HybridCore

/// What a ``ScriptedExecutor`` does with one request, step by step.
public struct Script: Sendable {
  public enum Step: Sendable {
    /// Hands out an event.
    case event(ExecutorEvent)
    /// Waits until the test opens the gate. A closed gate ignores the deadline, like a side that
    /// hangs.
    case gate(Gate)
    /// Lets time pass on the executor's clock; fails with `deadlineExceeded` where the deadline
    /// comes first.
    case wait(Duration)
    /// Ends the run with an error.
    case failure(HybridError)
  }

  /// What comes before the request is accepted: `start` waits for these, and throws a failure.
  public var opening: [Step]

  /// What comes out of the stream. Without a `finished` event or a failure at its end, one with the
  /// reason `stop` follows, for every choice that the request asks for.
  public var steps: [Step]

  public init(opening: [Step] = [], steps: [Step] = []) {
    self.opening = opening
    self.steps = steps
  }
}

extension Script {
  /// A whole answer in these pieces, one text event each.
  public static func answer(_ pieces: String...) -> Script {
    Script(steps: texts(pieces))
  }

  /// Several whole answers to one request, the texts of its choices in order, one text event each.
  public static func choices(_ texts: String...) -> Script {
    Script(
      steps: texts.enumerated().map { choice, text in
        .event(ExecutorEvent(.text(text), of: choice))
      })
  }

  /// An answer of which nothing comes before the test opens `gate`.
  public static func answer(_ pieces: String..., after gate: Gate) -> Script {
    Script(steps: [.gate(gate)] + texts(pieces))
  }

  /// Refused before any output: a full queue, an error status.
  public static func refusing(_ error: HybridError) -> Script {
    Script(opening: [.failure(error)])
  }

  /// Accepted, then failed after these pieces; with none, before the first output.
  public static func failing(_ error: HybridError, after pieces: String...) -> Script {
    Script(steps: texts(pieces) + [.failure(error)])
  }

  private static func texts(_ pieces: [String]) -> [Step] {
    pieces.map { .event(.text($0)) }
  }
}
