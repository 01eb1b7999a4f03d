internal import HybridCore

/// A response body ▶ pieces of a completion, with the ways in which gateways depart from the protocol.
///
/// Push bytes, pull items until there is none, and call ``finish()`` at the end of the body.
struct StreamDecoder: Sendable {
  enum Item: Sendable, Hashable {
    case chunk(ChatCompletionChunk)
    /// `[DONE]`: nothing after it counts.
    case done
    case error(WireError)
  }

  private enum Format {
    /// An event stream, or what looks like one.
    case events
    /// One JSON document, read at its end.
    case json
  }

  private let format: Format
  private let limits: ResponseLimits
  private var reader: EventReader
  private var document: [UInt8] = []
  private var total = 0
  /// True once an event with data other than a keep-alive has come, or the beginning of a document.
  private(set) var hasBegun = false

  /// True once anything has come.
  var hasBytes: Bool { total > 0 }

  /// - Parameter isJSON: the content type says that the body is one JSON document.
  init(isJSON: Bool, limits: ResponseLimits) {
    format = isJSON ? .json : .events
    self.limits = limits
    reader = EventReader(
      lineLimit: limits.line, eventLimit: limits.event, takesErrorFields: true)
  }

  /// - Throws: `protocol.tooLarge`.
  mutating func push(_ bytes: [UInt8]) throws(HybridError) {
    total += bytes.count
    let limit = format == .json ? limits.body : limits.stream
    guard total <= limit else {
      throw HybridError(
        .tooLarge, "the gateway's answer is longer than \(limit) bytes",
        nextStep: "Ask for fewer tokens, or raise the limit", side: .remote)
    }
    switch format {
    case .events: reader.push(bytes)
    case .json:
      document += bytes
      hasBegun = true
    }
  }

  /// The next item; nil when more bytes are needed.
  ///
  /// - Throws: `protocol.badJSON`, `protocol.badEventStream`, `protocol.tooLarge`.
  mutating func next() throws(HybridError) -> Item? {
    while format == .events, let event = try reader.next() {
      if let item = try read(event) {
        hasBegun = true
        return item
      }
    }
    return nil
  }

  /// The end of the body: what was pending and still counts.
  mutating func finish() throws(HybridError) -> [Item] {
    switch format {
    case .json:
      let value = try Self.json(document)
      if let error = WireError(value) { return [.error(error)] }
      return [.chunk(ChatCompletionChunk(try ChatCompletion(value))), .done]
    case .events:
      // The standard discards an event without its blank line; only an end or an error is taken.
      guard let event = try reader.finish() else { return [] }
      if Self.isDone(event) { return [.done] }
      guard let value = try? Self.json(event.data) else {
        return event.type == "error" ? [.error(WireError(text: event.text))] : []
      }
      return WireError(value, isFailure: event.type == "error").map { [.error($0)] } ?? []
    }
  }

  private func read(_ event: ServerSentEvent) throws(HybridError) -> Item? {
    // Keep-alives: nothing, or a comment that was sent as data.
    guard let first = event.data.first(where: { !Self.isSpace($0) }), first != UInt8(ascii: ":")
    else { return nil }
    if Self.isDone(event) { return .done }
    let value: JSONValue
    do throws(HybridError) {
      value = try Self.json(event.data)
    } catch {
      switch event.type {
      case "error": return .error(WireError(text: event.text))
      case "message": throw error
      // An event of another type is not part of the protocol, and need not be JSON.
      default: return nil
      }
    }
    if let error = WireError(value, isFailure: event.type == "error") { return .error(error) }
    guard value.object != nil else {
      throw HybridError(
        .badJSON, "the gateway sent an event that is not a JSON object",
        nextStep: "Check that the URL is that of a chat completions API", side: .remote)
    }
    return .chunk(try ChatCompletionChunk(value))
  }

  private static func isDone(_ event: ServerSentEvent) -> Bool {
    guard event.data.count < 64 else { return false }
    let text = event.data.drop(while: isSpace)
    return text.starts(with: "[DONE]".utf8) && text.dropFirst(6).allSatisfy(isSpace)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  static func json(_ bytes: [UInt8]) throws(HybridError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONReader.wire.read(bytes)
    } catch {
      // The error's own text may show the names of keys, and those may be the model's.
      throw HybridError(
        .badJSON, "the gateway sent broken JSON at \(error.position)",
        nextStep: "Try again; if it recurs look at the gateway and the proxies before it",
        side: .remote)
    }
  }
}

extension WireError {
  /// An error told in plain words.
  init(text: String) {
    message = text
  }
}

/// The most that a response may hold, in bytes.
public struct ResponseLimits: Sendable, Hashable {
  /// A body that is not a stream.
  public var body: Int
  /// What is read of an error's body; the rest is not.
  public var errorBody: Int
  /// A whole event stream.
  public var stream: Int
  /// One line of an event stream.
  public var line: Int
  /// One event's data.
  public var event: Int

  public init(
    body: Int = 16 << 20, errorBody: Int = 64 << 10, stream: Int = 64 << 20, line: Int = 1 << 20,
    event: Int = 8 << 20
  ) {
    self.body = body
    self.errorBody = errorBody
    self.stream = stream
    self.line = line
    self.event = event
  }
}
