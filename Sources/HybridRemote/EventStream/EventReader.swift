internal import HybridCore

/// Lines ▶ events, to the letter of the standard.
///
/// Push bytes, pull events until there is none, and at the end of the stream call ``finish()``.
/// See https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
struct EventReader: Sendable {
  /// The most data of one event, in bytes.
  let limit: Int

  /// The reconnection time that the stream asked for, in milliseconds.
  private(set) var retry: Int?

  /// Takes the field `error`, which the standard does not know, as the data of an event of that type:
  /// older llama.cpp servers report failures so.
  let takesErrorFields: Bool

  private var lines: LineReader
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var id: [UInt8] = []

  init(lineLimit: Int = 1 << 20, eventLimit: Int = 8 << 20, takesErrorFields: Bool = false) {
    lines = LineReader(limit: lineLimit)
    limit = eventLimit
    self.takesErrorFields = takesErrorFields
  }

  mutating func push(_ bytes: [UInt8]) {
    lines.push(bytes)
  }

  /// The next event; nil when more bytes are needed.
  ///
  /// - Throws: `protocol.tooLarge`.
  mutating func next() throws(HybridError) -> ServerSentEvent? {
    while let line = try lines.next() {
      // "If the line is empty (a blank line): dispatch the event"
      if line.isEmpty {
        if let event = dispatch() { return event }
      } else {
        try read(line)
      }
    }
    return nil
  }

  /// The end of the stream: what would have been the next event had its blank line come.
  ///
  /// The standard discards it. It is handed out so that a `[DONE]` without its blank line, which some
  /// gateways send, can still be recognised.
  mutating func finish() throws(HybridError) -> ServerSentEvent? {
    if let line = lines.finish() { try read(line) }
    return dispatch()
  }

  private mutating func read(_ line: [UInt8]) throws(HybridError) {
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    // "If the line starts with a U+003A COLON character (:): ignore the line."
    if colon == 0 { return }
    // "Otherwise, the string is not empty but does not contain a U+003A COLON character (:): process
    // the field using the whole line as the field name, and the empty string as the field value."
    let name = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value.removeFirst() }

    let isError = takesErrorFields && name.elementsEqual("error".utf8)
    if isError { type = Array("error".utf8) }
    if isError || name.elementsEqual("data".utf8) {
      guard data.count + value.count < limit else {
        throw HybridError(
          .tooLarge, "the gateway sent an event of more than \(limit) bytes",
          nextStep: "Check that the URL is a gateway's, or raise the limit", side: .remote)
      }
      data += value
      data.append(UInt8(ascii: "\n"))
      hasData = true
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      // "If the field value does not contain U+0000 NULL, then set the last event ID buffer"
      if !value.contains(0) { id = Array(value) }
    } else if name.elementsEqual("retry".utf8) {
      // "If the field value consists of only ASCII digits"
      let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if isNumber, let number = Int(String(decoding: value, as: UTF8.self)) { retry = number }
    }
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      type = []
      data = []
      hasData = false
    }
    // "If the data buffer is an empty string, set the data buffer and the event type buffer to the
    // empty string and return."
    guard hasData else { return nil }
    data.removeLast()
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self), data: data,
      id: String(decoding: id, as: UTF8.self))
  }
}
