import HybridCore
import HybridLocal
import Testing

@Suite struct FrameReaderTests {
  private let messages: [JSONValue] = ["a", ["b": [1, 2, 3]], [], "é"]

  @Test(arguments: [1, 2, 3, 5, 1000])
  func `frames come out whole however the bytes come in`(size: Int) throws {
    let bytes = messages.flatMap { WireFrame.bytes($0) }
    var reader = FrameReader(limit: 100)
    var read: [JSONValue] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes[start..<min(start + size, bytes.count)])
      while let body = try reader.next() { read.append(try WireFrame.message(body)) }
    }
    #expect(read == messages)
  }

  @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 101], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func `a length that no frame has is refused before its bytes come`(head: [UInt8]) {
    var reader = FrameReader(limit: 100)
    reader.append(head)
    #expect(throws: WireError.self) { try reader.next() }
  }

  @Test(arguments: ["", "{", "\u{1}", #"{"a":1,"a":2}"#, #""\ud800""#, "1 2"])
  func `what is no JSON, or doubtful, is refused, and the error shows nothing of it`(text: String) {
    let error = #expect(throws: WireError.self) { try WireFrame.message(Array(text.utf8)) }
    #expect(error?.problem.hasPrefix("no JSON at byte ") == true)
  }

  @Test func `a body of a thousand lists in each other is refused`() {
    let text = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    #expect(throws: WireError.self) { try WireFrame.message(Array(text.utf8)) }
  }

  @Test func `the last words are kept, fit to be shown`() {
    var words = WorkerWords()
    words.append(Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
    words.append("\n\u{1B}[2Jbad \u{7}é\n\n".utf8)
    #expect(words.text.utf8.count < WorkerWords.limit + 8)
    #expect(words.text.hasSuffix("x\n\u{FFFD}[2Jbad \u{FFFD}é"))
  }
}
