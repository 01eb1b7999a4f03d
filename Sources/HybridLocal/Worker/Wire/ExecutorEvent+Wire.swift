package import HybridCore

extension ExecutorEvent: WireValue {
  package var wire: JSONValue {
    switch self {
    case .text(let text): WireCase.wire("text", text)
    case .logProbs(let tokens): WireCase.wire("logProbs", tokens)
    case .reasoning(let text): WireCase.wire("reasoning", text)
    case .toolCall(let call): WireCase.wire("toolCall", call)
    case .choice(let choice, let piece): WireCase.wire("choice", [choice.wire, piece.wire])
    case .finished(let completion): WireCase.wire("finished", completion)
    }
  }

  package init(wire: JSONValue) throws(WireError) {
    let one = try WireCase(wire)
    switch one.name {
    case "finished": self = .finished(try one.read())
    case "choice":
      let pair: [JSONValue] = try one.read()
      guard pair.count == 2 else { throw WireError("choice: no pair") }
      self = .choice(try Int(wire: pair[0]), try OutputPiece(wire: pair[1]))
    default: self = ExecutorEvent(try OutputPiece(wire: wire), of: 0)
    }
  }
}

extension OutputPiece: WireValue {
  package var wire: JSONValue {
    switch self {
    case .text(let text): WireCase.wire("text", text)
    case .logProbs(let tokens): WireCase.wire("logProbs", tokens)
    case .reasoning(let text): WireCase.wire("reasoning", text)
    case .toolCall(let call): WireCase.wire("toolCall", call)
    }
  }

  package init(wire: JSONValue) throws(WireError) {
    let one = try WireCase(wire)
    switch one.name {
    case "text": self = .text(try one.read())
    case "logProbs": self = .logProbs(try one.read())
    case "reasoning": self = .reasoning(try one.read())
    case "toolCall": self = .toolCall(try one.read())
    default: throw one.unknown
    }
  }

  /// False for what no executor hands out: a piece with nothing in it.
  var hasContent: Bool {
    switch self {
    case .text(let text), .reasoning(let text): !text.isEmpty
    case .logProbs(let tokens): !tokens.isEmpty
    case .toolCall: true
    }
  }
}

extension TokenLogProb: WireValue {
  package var wire: JSONValue {
    [
      "text": text.wire,
      "bytes": WireBytes(bytes).wire,
      "token": token.wire,
      "logProb": WireLogProb(logProb).wire,
      "alternatives": alternatives.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "text", "bytes", "token", "logProb", "alternatives")
    let (bytes, logProb): (WireBytes, WireLogProb) = (try fields["bytes"], try fields["logProb"])
    self.init(
      text: try fields["text"], bytes: bytes.bytes, token: try fields.optionalCount("token"),
      logProb: logProb.value, alternatives: try fields["alternatives"])
  }
}

extension TokenLogProb.Alternative: WireValue {
  package var wire: JSONValue {
    [
      "text": text.wire, "bytes": WireBytes(bytes).wire, "token": token.wire,
      "logProb": WireLogProb(logProb).wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "text", "bytes", "token", "logProb")
    let (bytes, logProb): (WireBytes, WireLogProb) = (try fields["bytes"], try fields["logProb"])
    self.init(
      text: try fields["text"], bytes: bytes.bytes, token: try fields.optionalCount("token"),
      logProb: logProb.value)
  }
}

/// A token's bytes as numbers.
private struct WireBytes: WireValue {
  let bytes: [UInt8]?

  init(_ bytes: [UInt8]?) { self.bytes = bytes }

  var wire: JSONValue { bytes.map { $0.map { Int($0) } }.wire }

  init(wire: JSONValue) throws(WireError) {
    let numbers = try [Int]?(wire: wire)
    bytes = numbers?.compactMap { UInt8(exactly: $0) }
    guard bytes?.count == numbers?.count else { throw WireError("no bytes") }
  }
}

/// A logarithm that JSON can write and that can be calculated with: what lies beyond, minus infinity
/// included, becomes a billion, which e^x takes for the same.
private struct WireLogProb: WireValue {
  static let range = -1e9...1e9
  let value: Double

  init(_ value: Double) {
    self.value = min(max(value, Self.range.lowerBound), Self.range.upperBound)
  }

  var wire: JSONValue { value.wire }

  init(wire: JSONValue) throws(WireError) {
    value = try Double(wire: wire)
    guard Self.range.contains(value) else { throw WireError("out of range") }
  }
}
