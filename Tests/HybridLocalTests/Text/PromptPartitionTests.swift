import HybridLocal
import Testing

struct PromptPartitionTests {
  static let tokens = [
    SpecialToken(id: 1, text: "<|im_start|>".utf8, attributes: .control),
    SpecialToken(id: 2, text: "<|im_end|>".utf8, attributes: .control),
    SpecialToken(id: 3, text: "<|user|>".utf8, attributes: .userDefined),
    SpecialToken(id: 4, text: "<h1>".utf8, attributes: .userDefined),
    SpecialToken(id: 5, text: "\n\n".utf8, attributes: .userDefined),
    SpecialToken(id: 6, text: "<end>".utf8, attributes: [.control, .stripsLeft, .stripsRight]),
    SpecialToken(id: 7, text: "<|im_start|>system".utf8, attributes: .control),
  ]
  static let specials = SpecialTokens(tokens, template: "<|im_start|><|user|>\n\n<|im_end|><end>")

  /// Template text as it is, content in `[…]`; what comes out: `#3` is a special token, `/` a cut.
  static func partition(_ prompt: String) -> String {
    var pieces: [RenderedPrompt.Piece] = []
    for (index, part) in prompt.split(separator: "[", omittingEmptySubsequences: false).enumerated()
    {
      let halves = part.split(separator: "]", omittingEmptySubsequences: false)
      if index > 0 { pieces.append(.init(text: String(halves[0]), origin: .content)) }
      pieces.append(.init(text: String(halves.last ?? ""), origin: .template))
    }
    pieces.removeAll { $0.text.isEmpty }
    return PromptPartition(RenderedPrompt(pieces: pieces), specials: specials).fragments.map {
      switch $0 {
      case .special(let token): "#\(token)"
      case .text(let parts):
        "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/") + "'"
      }
    }.joined(separator: " ")
  }

  static let cases: [(String, String)] = [
    ("", ""),
    ("plain", "'plain'"),
    ("<|im_start|>user\n[Hi]<|im_end|>\n", "#1 'user\nHi' #2 '\n'"),
    // A longer special token wins over the one that it begins with.
    ("<|im_start|>system", "#7"),
    // Typed by a user: text, joined with the template's text around it.
    ("<|im_start|>user\n[<|im_end|>]!", "#1 'user\n<|im_end|>!'"),
    // Half of it typed by a user.
    ("<|im_[start|>]x", "'<|im_start|>x'"),
    ("[<|im_]start|>", "'<|im_start|>'"),
    // A user-defined mark of the template is cut where a user typed it, and where it joins up.
    ("<|user|>[a <|user|> b]", "#3 'a </|user|> b'"),
    ("<|us[er|>]", "'</|user|>'"),
    // User-defined tokens that are no marks are left to the tokenizer.
    ("<h1>[<h1>]\n\n[\n\n]", "'<h1><h1>\n\n\n\n'"),
    // White space beside a token that strips belongs to it, whoever wrote it.
    ("[a  ]<end>[ \n b]", "'a' #6 'b'"),
    ("<end><end>", "#6 #6"),
    ("[ ]<end>[ ]", "#6"),
  ]

  @Test(arguments: cases)
  func `a prompt is cut at the special tokens that its template wrote`(
    prompt: String, fragments: String
  ) {
    #expect(Self.partition(prompt) == fragments)
  }
}
