import Testing

@testable import HybridRemote

/// A stream and the events that the standard makes of it.
struct EventVector: Sendable, CustomTestStringConvertible {
  var rule: String
  var bytes: [UInt8]
  var events: [ServerSentEvent]

  var testDescription: String { rule }

  init(_ rule: String, _ text: String, _ events: [ServerSentEvent]) {
    self.init(rule, Array(text.utf8), events)
  }

  init(_ rule: String, _ bytes: [UInt8], _ events: [ServerSentEvent]) {
    self.rule = rule
    self.bytes = bytes
    self.events = events
  }
}

extension ServerSentEvent {
  fileprivate init(_ data: String, type: String = "message", id: String = "") {
    self.init(type: type, data: Array(data.utf8), id: id)
  }
}

/// Written for this project; the rules are those of the standard's text.
let eventVectors: [EventVector] = [
  EventVector("one event", "data: a\n\n", [.init("a")]),
  EventVector("nothing at all", "", []),
  EventVector("only line ends", "\n\r\n\r\n\n", []),
  EventVector("CR ends lines", "data: a\r\rdata: b\r\r", [.init("a"), .init("b")]),
  EventVector("CR LF ends lines", "data: a\r\n\r\ndata: b\r\n\r\n", [.init("a"), .init("b")]),
  EventVector("CR LF between lines is one end", "data: a\r\ndata: b\r\n\r\n", [.init("a\nb")]),
  EventVector(
    "CR LF after a type is one end", "event: x\r\ndata: a\r\n\r\n", [.init("a", type: "x")]),
  EventVector("the three ends mixed", "data: a\rdata: b\ndata: c\r\n\n", [.init("a\nb\nc")]),
  EventVector("LF CR is two line ends", "data: a\n\rdata: b\n\r", [.init("a"), .init("b")]),
  EventVector("CR CR LF is two line ends", "data: a\r\r\ndata: b\r\r\n", [.init("a"), .init("b")]),
  EventVector(
    "other separators end nothing", "data: a\u{b}\u{c}\u{85}\u{2028}b\n\n",
    [.init("a\u{b}\u{c}\u{85}\u{2028}b")]),
  EventVector("several data lines are joined", "data: a\ndata:\ndata: c\n\n", [.init("a\n\nc")]),
  EventVector("one leading space goes", "data:  a \n\n", [.init(" a ")]),
  EventVector("no space is needed", "data:a\n\n", [.init("a")]),
  EventVector("a tab is not a space", "data:\ta\n\n", [.init("\ta")]),
  EventVector("a space before the colon makes another field", "data : a\n\n", []),
  EventVector("a second colon belongs to the value", "data: a: b:c\n\n", [.init("a: b:c")]),
  EventVector(
    "a field without colon has an empty value", "data\n\ndata\ndata\n\ndata:",
    [.init(""), .init("\n")]),
  EventVector("empty data is an event", "data:\n\ndata: \n\n", [.init(""), .init("")]),
  EventVector("comments are passed over", ": a\n:\ndata: b\n:: c\n\n", [.init("b")]),
  EventVector("a comment ends no event", "data: a\n: x\ndata: b\n\n", [.init("a\nb")]),
  EventVector(
    "unknown fields are passed over", "foo: x\nDATA: y\nData: z\ndata: a\n\n",
    [.init("a")]),
  EventVector("no event without data", "event: x\nid: 1\n\nretry: 5\n\n: c\n\n", []),
  EventVector("a type", "event: x\ndata: a\n\n", [.init("a", type: "x")]),
  EventVector(
    "the type holds for one event", "event: x\ndata: a\n\ndata: b\n\n",
    [.init("a", type: "x"), .init("b")]),
  EventVector("a type without data is forgotten", "event: x\n\ndata: b\n\n", [.init("b")]),
  EventVector("an empty type is message", "event: x\nevent:\ndata: a\n\n", [.init("a")]),
  EventVector("the last type counts", "event: x\ndata: a\nevent: y\n\n", [.init("a", type: "y")]),
  EventVector(
    "an id stays", "id: 1\ndata: a\n\ndata: b\n\n",
    [.init("a", id: "1"), .init("b", id: "1")]),
  EventVector("an id without data stays too", "id: 1\n\ndata: b\n\n", [.init("b", id: "1")]),
  EventVector(
    "an empty id clears it", "id: 1\ndata: a\n\nid\ndata: b\n\n",
    [.init("a", id: "1"), .init("b")]),
  EventVector(
    "an id with NUL is ignored", "id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n",
    [.init("a", id: "1"), .init("b", id: "1")]),
  EventVector("NUL in data stays", "data: a\u{0}b\n\n", [.init("a\u{0}b")]),
  EventVector("one mark at the start goes", "\u{feff}data: a\n\n", [.init("a")]),
  EventVector("a second mark stays", "\u{feff}\u{feff}data: a\n\ndata: b\n\n", [.init("b")]),
  EventVector("a mark later stays", "data: a\n\n\u{feff}data: b\n\n", [.init("a")]),
  EventVector("a mark in data stays", "data: \u{feff}a\n\n", [.init("\u{feff}a")]),
  EventVector("the last event needs its blank line", "data: a\n\ndata: b\n", [.init("a")]),
  EventVector("and its last line its end", "data: a\n\ndata: b", [.init("a")]),
  EventVector("one CR at the end is a line's end only", "data: a\r", []),
  EventVector(
    "characters of two, three and four bytes", "data: é€😀\ndata: 日本\n\n",
    [.init("é€😀\n日本")]),
  EventVector(
    "long data", "data: " + String(repeating: "0123456789", count: 60) + "\n\n",
    [.init(String(repeating: "0123456789", count: 60))]),
]

/// Bytes that are no UTF-8, and the text that the standard makes of them: U+FFFD for each longest
/// beginning of a character.
let malformedVectors: [(bytes: [UInt8], text: String)] = [
  ([0xff], "\u{fffd}"),
  ([0x61, 0x80, 0x62], "a\u{fffd}b"),
  ([0xe2, 0x82], "\u{fffd}"),
  ([0xe2, 0x82, 0x41], "\u{fffd}A"),
  ([0xf0, 0x9f, 0x98, 0x41], "\u{fffd}A"),
  ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
  ([0xc0, 0x80], "\u{fffd}\u{fffd}"),
  ([0xf5, 0x80, 0x80, 0x80], "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
]
