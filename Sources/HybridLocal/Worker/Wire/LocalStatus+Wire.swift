package import HybridCore

// A moment means nothing to another process's clock: it crosses as the time until then.

extension LocalStatus {
  /// - Parameter now: by the clock that its moments are of.
  package func wire(at now: Moment) -> JSONValue {
    [
      "model": model.wire,
      "state": state.wire(at: now),
      "contextLength": contextLength.wire,
      "memory": memory.wire,
      "queue": queue.wire,
      "features": features.sorted().wire,
      "loadFraction": loadFraction.wire,
    ]
  }

  package init(wire: JSONValue, at now: Moment) throws(WireError) {
    let fields = try WireFields(
      wire, "model", "state", "contextLength", "memory", "queue", "features", "loadFraction")
    let features: [Feature] = try fields["features"]
    self.init(
      model: try fields["model"], state: try State(wire: try fields["state"], at: now),
      contextLength: try fields.optionalCount("contextLength"), memory: try fields["memory"],
      queue: try fields["queue"], features: Set(features),
      loadFraction: try fields.optionalShare("loadFraction"))
  }
}

extension LocalStatus.State {
  package func wire(at now: Moment) -> JSONValue {
    switch self {
    case .missing: "missing"
    case .notLoaded: "notLoaded"
    case .ready: "ready"
    case .loading(let remaining): WireCase.wire("loading", remaining)
    case .failed(let failure): WireCase.wire("failed", failure.wire(at: now))
    }
  }

  package init(wire: JSONValue, at now: Moment) throws(WireError) {
    switch wire.string {
    case "missing": self = .missing
    case "notLoaded": self = .notLoaded
    case "ready": self = .ready
    case .some: throw WireError("an unknown state")
    case nil:
      let one = try WireCase(wire)
      switch one.name {
      case "loading":
        let fields = try WireFields(wire, "loading")
        self = .loading(remaining: try fields.optionalTime("loading"))
      case "failed": self = .failed(try ModelFailure(wire: one.payload, at: now))
      default: throw one.unknown
      }
    }
  }
}

extension ModelFailure {
  package func wire(at now: Moment) -> JSONValue {
    [
      "code": code.wire,
      "until": until.map { max(.zero, $0 - now) }.wire,
      "message": message.wire,
      "nextStep": nextStep.wire,
      "details": details.wire,
    ]
  }

  package init(wire: JSONValue, at now: Moment) throws(WireError) {
    let fields = try WireFields(wire, "code", "until", "message", "nextStep", "details")
    self.init(
      try fields["code"], until: try fields.optionalTime("until").map { now + $0 },
      message: try fields["message"], nextStep: try fields["nextStep"],
      details: try fields["details"])
  }
}

extension PromptMeasurement {
  package func wire(at now: Moment) -> JSONValue {
    switch self {
    case .counted(let tokens): WireCase.wire("counted", tokens)
    case .templateRejected(let message, let details):
      WireCase.wire(
        "templateRejected", ["message": message.wire, "details": details.wire] as JSONValue)
    case .unavailable(let failure): WireCase.wire("unavailable", failure.wire(at: now))
    }
  }

  package init(wire: JSONValue, at now: Moment) throws(WireError) {
    let one = try WireCase(wire)
    switch one.name {
    case "counted": self = .counted(try WireFields(wire, "counted").count("counted"))
    case "templateRejected":
      let fields = try WireFields(one.payload, "message", "details")
      self = .templateRejected(message: try fields["message"], details: try fields["details"])
    case "unavailable": self = .unavailable(try ModelFailure(wire: one.payload, at: now))
    default: throw one.unknown
    }
  }
}

extension LocalModelInfo: WireValue {
  package var wire: JSONValue { ["name": name.wire, "path": path.wire] }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "name", "path")
    self.init(name: try fields["name"], path: try fields["path"])
  }
}

extension MemoryNeed: WireValue {
  package var wire: JSONValue { ["needed": needed.wire, "available": available.wire] }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "needed", "available")
    self.init(needed: try fields.count("needed"), available: try fields.count("available"))
  }
}

extension QueueStatus: WireValue {
  package var wire: JSONValue {
    ["depth": depth.wire, "capacity": capacity.wire, "expectedWait": expectedWait.wire]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "depth", "capacity", "expectedWait")
    self.init(
      depth: try fields.count("depth"), capacity: try fields.count("capacity"),
      expectedWait: try fields.time("expectedWait"))
  }
}
