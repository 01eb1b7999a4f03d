import HybridCore
import Testing

@Suite struct JSONWriterTests {
  @Test(arguments: [
    ("plain é€😀", "\"plain é€😀\""), ("\"\\/", #""\"\\/""#),
    ("\n\r\t\u{8}\u{C}", #""\n\r\t\u0008\u000c""#), ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
    ("", "\"\""),
  ])
  func `a text is escaped where JSON asks and nowhere else`(text: String, written: String) {
    #expect(JSONWriter.compact.string(.string(text)) == written)
  }

  @Test func `numbers keep their digits and members their order`() throws {
    let text = #"{"b":9007199254740993,"a":[1.50,-0,1E400],"é":{}}"#
    #expect(try JSONWriter.compact.string(JSONReader.wire.read(text)) == text)
  }

  @Test func `the pretty form has two spaces a level`() {
    let value: JSONValue = ["a": [1, [], [:], ["b": nil]], "c": "d"]
    #expect(
      JSONWriter.pretty.string(value) == """
        {
          "a": [
            1,
            [],
            {},
            {
              "b": null
            }
          ],
          "c": "d"
        }
        """)
  }

  @Test func `a line of JSON lines holds no line break`() {
    let value: JSONValue = ["text": "a\nb\r\n\u{85}c"]
    #expect(!JSONWriter.compact.bytes(value).contains { $0 == 10 || $0 == 13 })
  }

  @Test func `a value nested deeper than any reader allows is written on a small stack`() {
    let levels = 5_000
    let count = withSmallStack { () -> Int in
      var value: JSONValue = 1
      for _ in 0..<levels { value = [value] }
      let count = JSONWriter.compact.bytes(value).count
      // Taken apart from outside: letting go of it at once would recurse.
      while case .array(let elements) = value, let inner = elements.first { value = inner }
      return count
    }
    #expect(count == 2 * levels + 1)
  }
}
