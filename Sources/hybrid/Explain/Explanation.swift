internal import HybridCore
internal import HybridRouting

/// What a code means, and what the policy does about it.
struct Explanation: Sendable {
  let paragraphs: [Paragraph]

  /// A heading with titled lines.
  struct Paragraph: Sendable {
    let heading: String
    let lines: [(title: String, text: String)]
  }

  /// Every code that can be explained.
  static let names: [String] = {
    var names = ReasonText.all.map(\.code.rawValue)
    for meaning in ErrorMeaning.all where !names.contains(meaning.code.rawValue) {
      names.append(meaning.code.rawValue)
    }
    for meaning in finishReasons where !names.contains(meaning.reason.rawValue) {
      names.append(meaning.reason.rawValue)
    }
    return names
  }()

  /// - Parameter text: a code in any case, or an HTTP status.
  /// - Throws: `usage` with the nearest codes.
  static func of(_ text: String) throws(HybridError) -> Explanation {
    if let status = Int(text), text.allSatisfy(\.isNumber) { return try of(status: status) }
    guard let name = names.first(where: { $0.lowercased() == text.lowercased() }) else {
      let near = nearest(to: text)
      throw .usage(
        "unknown code \(text.quoted)",
        nextStep: near.isEmpty
          ? "see hybrid explain --help for all codes"
          : "did you mean \(near.joined(separator: " or "))?",
        details: [
          "argument": .string(text), "nearest": .array(near.map { .string($0) }),
        ])
    }
    let meaning = ErrorMeaning.of(ErrorCode(rawValue: name))
    return Explanation(
      paragraphs: [reason(name), meaning.map(error)].compactMap(\.self) + finish(name))
  }

  /// Of a code in two parts, either part may have been meant: `timout` is near `timeout.idle`.
  private static func nearest(to text: String) -> [String] {
    let near = Suggestion.names(for: text, among: names, atMost: 5)
    if !near.isEmpty { return near }
    let parts = names.flatMap { $0.split(separator: ".").map(String.init) }
    return NearestName.of(text, among: parts).map { part in
      names.filter { $0.split(separator: ".").contains(part[...]) }
    } ?? []
  }

  private static func of(status: Int) throws(HybridError) -> Explanation {
    guard (100...599).contains(status) else {
      throw .usage("\(status) is no HTTP status", nextStep: "give one from 100 to 599")
    }
    let meanings = ErrorCode.codes(forHTTPStatus: status).compactMap(ErrorMeaning.of)
    let nothing = Paragraph(heading: "HTTP \(status)", lines: [("Means", "no failure")])
    return Explanation(paragraphs: meanings.isEmpty ? [nothing] : meanings.map(error))
  }

  private static func reason(_ name: String) -> Paragraph? {
    guard let text = ReasonText.all.first(where: { $0.code.rawValue == name }) else { return nil }
    return Paragraph(
      heading: "\(name), as a plan's check or an answer's reason",
      lines: [
        ("Means", text.meaning), ("Policy", text.handling), ("Next step", text.nextStep),
      ])
  }

  private static func error(_ meaning: ErrorMeaning) -> Paragraph {
    let row = FailureTable.standard.row(for: meaning.code)
    let isOfTable = FailureTable.standard.codes(of: row.kind).contains(meaning.code)
    return Paragraph(
      heading: "\(meaning.code.rawValue), as an error",
      lines: [("Means", meaning.meaning)] + (isOfTable ? FailureWords.lines(row) : [])
        + [
          ("Next step", meaning.nextStep),
          (
            "Exit code",
            "\(ExitCode(HybridError(meaning.code, meaning.meaning)).rawValue)"
          ),
        ])
  }

  private static func finish(_ name: String) -> [Paragraph] {
    finishReasons.filter { $0.reason.rawValue == name }.map {
      Paragraph(heading: "\(name), as a finish reason", lines: [("Means", $0.meaning)])
    }
  }

  private static let finishReasons: [(reason: FinishReason, meaning: String)] = [
    (.stop, "the model ended its answer, or a stop string came"),
    (.length, "the answer has as many tokens as --max-tokens allows, and may be incomplete"),
    (.contextFull, "the context is full; the answer is incomplete"),
    (.toolCalls, "the model asks for tools to be called"),
    (.contentFilter, "the gateway's content filter cut the answer"),
    (.cancelled, "the caller stopped the answer; it is incomplete"),
    (.unknown, "the gateway ended the answer properly and did not say why"),
  ]

  var text: String {
    paragraphs.map { paragraph in
      let width = paragraph.lines.map(\.title.count).max() ?? 0
      let lines = paragraph.lines.map { line in
        let padding = String(repeating: " ", count: width - line.title.count)
        return "  \(line.title):\(padding) \(line.text)"
      }
      return paragraph.heading + "\n" + lines.joined(separator: "\n") + "\n"
    }
    .joined(separator: "\n")
  }
}
