import HybridCore
import Testing

@Suite struct JSONLimitTests {
  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `nesting is allowed up to 512 and refused beyond`(opening: String) throws {
    let levels = opening.contains("[{") ? 2 : 1
    func nested(_ depth: Int) -> String {
      let closing = String(
        opening.reversed().compactMap { $0 == "[" ? "]" : $0 == "{" ? "}" : nil })
      return String(repeating: opening, count: depth / levels) + "1"
        + String(repeating: closing, count: depth / levels)
    }
    #expect(throws: Never.self) { try JSONReader.wire.read(nested(512)) }
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.wire.read(nested(514)) }
    #expect(error?.problem == .tooDeep(limit: 512))
    #expect(error?.offset == nested(512).firstIndex(of: "1")?.utf16Offset(in: nested(512)))
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `a hundred thousand levels are refused at the 513th`(opening: String) {
    let text = Array(String(repeating: opening, count: 100_000).utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.wire.read(text) }
    #expect(error?.problem == .tooDeep(limit: 512))
    #expect(error?.offset == 512 * opening.utf8.count)
  }

  @Test func `the deepest text is read, decoded and written on a small stack`() throws {
    let text = String(repeating: "[{\"a\":", count: 256) + "1" + String(repeating: "}]", count: 256)
    let written = withSmallStack { () -> String? in
      guard let document = try? JSONReader.file.readDocument(text),
        let decoded = try? JSONFileDecoder(name: "deep").decode(JSONValue.self, from: text)
      else { return nil }
      let written = JSONWriter.compact.string(decoded)
      return JSONWriter.compact.string(document.root.value) == written ? written : nil
    }
    #expect(written == text)
  }

  @Test func `a type that holds itself is decoded to the deepest level`() throws {
    let text =
      String(repeating: "{\"inner\":[", count: 256) + String(repeating: "]}", count: 256)
    let depth = withSmallStack(kibibytes: 1024) {
      try? JSONFileDecoder(name: "deep").decode(Nested.self, from: text).depth
    }
    #expect(depth == 256)
  }

  private struct Nested: Decodable {
    let inner: [Nested]
    var depth: Int { 1 + (inner.first?.depth ?? 0) }
  }

  /// For 16 times the text a quadratic reader would take 256 times as long.
  @Test(arguments: [
    "escapes", "keys", "numbers", "nesting", "text", "spaces", "repeats",
  ])
  func `time grows with the text and no faster`(shape: String) throws {
    func text(_ size: Int) -> [UInt8] {
      let body =
        switch shape {
        case "escapes": "[\"" + String(repeating: "\\u00e9\\n", count: size / 8) + "\"]"
        case "keys":
          "{" + (0..<size / 12).map { "\"key\($0)\":1" }.joined(separator: ",") + "}"
        case "numbers": "[" + String(repeating: "12.5e3,", count: size / 7) + "0]"
        case "nesting":
          "[" + String(repeating: "[[[[[]]]]],", count: size / 11) + "0]"
        case "text": "[\"" + String(repeating: "wörd ", count: size / 6) + "\"]"
        case "spaces": "[" + String(repeating: " \n", count: size / 2) + "0]"
        default:
          "{" + (0..<size / 9).map { "\"k\($0 % 40)\":1" }.joined(separator: ",") + "}"
        }
      return Array(body.utf8)
    }
    func time(_ bytes: [UInt8], times: Int) throws -> Duration {
      var best = Duration.seconds(1000)
      for _ in 0..<times {
        best = min(best, try cpuTime { _ = try JSONReader.wire.read(bytes) })
      }
      return best
    }
    // Keys are looked up, which is slow enough when it is quadratic to show in less.
    let size = shape == "keys" ? 1 << 17 : 1 << 20
    let small = try time(text(size / 16), times: 3)
    let large = try time(text(size), times: 1)
    #expect(large < small * 48)
  }
}
