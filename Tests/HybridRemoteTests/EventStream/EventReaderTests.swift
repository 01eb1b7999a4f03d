import HybridCore
import HybridTesting
import Testing

@testable import HybridRemote

/// Every vector gives the same events however its bytes are cut.
struct EventReaderTests {
  private static func events(
    _ pieces: some Sequence<ArraySlice<UInt8>>, reader: EventReader = EventReader()
  ) throws -> [ServerSentEvent] {
    var reader = reader
    var events: [ServerSentEvent] = []
    for piece in pieces {
      reader.push(Array(piece))
      while let event = try reader.next() { events.append(event) }
    }
    return events
  }

  @Test(arguments: eventVectors)
  func `whole`(vector: EventVector) throws {
    #expect(try Self.events([vector.bytes[...]]) == vector.events)
  }

  @Test(arguments: eventVectors)
  func `cut in two at every byte`(vector: EventVector) throws {
    for cut in 0...vector.bytes.count {
      #expect(
        try Self.events([vector.bytes[..<cut], vector.bytes[cut...]]) == vector.events,
        "cut at \(cut)")
    }
  }

  @Test(arguments: eventVectors)
  func `byte by byte`(vector: EventVector) throws {
    let pieces = vector.bytes.indices.map { vector.bytes[$0...$0] }
    #expect(try Self.events(pieces) == vector.events)
  }

  @Test(arguments: eventVectors)
  func `cut at random`(vector: EventVector) throws {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<50 {
      var rest = vector.bytes[...]
      var pieces: [ArraySlice<UInt8>] = []
      while !rest.isEmpty {
        // A piece may be empty.
        let piece = rest.prefix(Int.random(in: 0...7, using: &random))
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(try Self.events(pieces) == vector.events)
    }
  }

  @Test func `all vectors in one stream give all their events`() throws {
    // Marks are special at the start alone, ids last, and an unfinished event would run on.
    let whole = eventVectors.filter { vector in
      !vector.rule.contains("mark") && vector.bytes.firstRange(of: "id".utf8) == nil
        && vector.bytes.suffix(2).allSatisfy { $0 == 0x0a || $0 == 0x0d }
    }
    let bytes = whole.flatMap { $0.bytes + Array("\n\n".utf8) }
    #expect(try Self.events([bytes[...]]) == whole.flatMap(\.events))
  }

  @Test(arguments: malformedVectors.indices)
  func `bytes that are no UTF-8 become U+FFFD`(index: Int) throws {
    let (bytes, text) = malformedVectors[index]
    let stream = Array("data: ".utf8) + bytes + Array("\n\n".utf8)
    for cut in 0...stream.count {
      #expect(try Self.events([stream[..<cut], stream[cut...]]).map(\.text) == [text])
    }
  }

  @Test(arguments: [
    ("retry: 1500\n", 1500 as Int?), ("retry: 0\n", 0), ("retry:7\r", 7), ("retry: -1\n", nil),
    ("retry: +1\n", nil), ("retry: 1.5\n", nil), ("retry: 1e3\n", nil), ("retry: ٣\n", nil),
    ("retry: 1 \n", nil), ("retry\n", nil), ("retry: 99999999999999999999\n", nil),
    ("retry: 5\nretry: x\n", 5),
  ])
  func `retry is read only if it is digits`(stream: String, retry: Int?) throws {
    var reader = EventReader()
    reader.push(Array(stream.utf8))
    #expect(try reader.next() == nil)
    #expect(reader.retry == retry)
  }

  @Test(arguments: [
    ("data: [DONE]", "[DONE]" as String?), ("data: [DONE]\n", "[DONE]"), ("data: [DO", "[DO"),
    ("data: a\n\n", nil), ("", nil), (": x", nil), ("event: x\n", nil),
    ("data: a\ndata: b", "a\nb"),
  ])
  func `what stood unfinished at the end can be asked for`(stream: String, rest: String?) throws {
    var reader = EventReader()
    reader.push(Array(stream.utf8))
    while try reader.next() != nil {}
    #expect(try reader.finish()?.text == rest)
  }

  @Test func `a line over the limit is refused, one at the limit is not`() throws {
    let fits = Array(("data: " + String(repeating: "x", count: 94) + "\n\n").utf8)
    let reader = EventReader(lineLimit: 100)
    #expect(try Self.events([fits[...]], reader: reader).count == 1)
    let tooLong = Array(("data: " + String(repeating: "x", count: 95)).utf8)
    for pieces in [[tooLong[...]], tooLong.indices.map { tooLong[$0...$0] }] {
      let error = #expect(throws: HybridError.self) { try Self.events(pieces, reader: reader) }
      #expect(error?.code == .tooLarge)
    }
    // A comment without end is a line too.
    let comment = ArraySlice((":" + String(repeating: "x", count: 200)).utf8)
    #expect(throws: HybridError.self) { try Self.events([comment], reader: reader) }
  }

  @Test func `an event over the limit is refused`() throws {
    let line = ArraySlice("data: 0123456789\n".utf8)
    let reader = EventReader(eventLimit: 100)
    #expect(throws: HybridError.self) {
      try Self.events(repeatElement(line, count: 10), reader: reader)
    }
    let short = repeatElement(line, count: 9) + [ArraySlice("\n".utf8)]
    #expect(try Self.events(short, reader: reader).first?.data.count == 98)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a megabyte in single bytes takes linear time`() throws {
    // One line of a megabyte: a reader that looks at it again for each byte needs hours.
    let bytes = Array("data: ".utf8) + Array(repeating: 0x61, count: 1_000_000) + [0x0a, 0x0a]
    let events = try Self.events(bytes.indices.map { bytes[$0...$0] })
    #expect(events.first?.data.count == 1_000_000)
  }
}
