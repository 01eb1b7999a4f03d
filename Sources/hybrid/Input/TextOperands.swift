internal import HybridCore

/// Texts from operands, or one from each line of stdin.
struct TextOperands: Sendable, Hashable {
  let texts: [String]
  /// Of each text that came from stdin, counted from 1; empty for operands.
  let lines: [Int]
  /// Lines that were left out.
  let skipped: [Int]

  /// - Parameter skipsBlank: leaves lines out in which there is nothing but white space.
  /// - Throws: `usage` where there are none and stdin is a terminal; `invalidText`, `invalidFile`;
  ///   `invalidRequest` for an empty line: leaving it out unasked would shift every line after it.
  static func read(_ operands: [String], skipsBlank: Bool) throws(HybridError) -> TextOperands {
    if !operands.isEmpty, operands != ["-"] {
      return TextOperands(texts: operands, lines: [], skipped: [])
    }
    if operands.isEmpty, StandardStream.input.isTerminal {
      throw .usage("no TEXT, and stdin is a terminal", nextStep: "write the texts or pipe them in")
    }
    return try of(try TextInput.standard.readAll(), skipsBlank: skipsBlank)
  }

  /// From the text of stdin.
  static func of(_ text: String, skipsBlank: Bool) throws(HybridError) -> TextOperands {
    let numbered = lines(of: text).enumerated().map { (number: $0 + 1, text: $1) }
    if skipsBlank {
      let kept = numbered.filter { !$0.text.allSatisfy(\.isWhitespace) }
      let blank = numbered.filter { $0.text.allSatisfy(\.isWhitespace) }
      return TextOperands(
        texts: kept.map(\.text), lines: kept.map(\.number), skipped: blank.map(\.number))
    }
    if let empty = numbered.first(where: { $0.text.isEmpty }) {
      let count = numbered.count { $0.text.isEmpty }
      throw HybridError(
        .invalidRequest,
        "line \(empty.number) of stdin is empty"
          + (count > 1 ? ", and so are \(count - 1) more" : ""),
        nextStep: "Leave empty lines out, or give --skip-blank",
        details: ["line": .int(empty.number), "emptyLines": .int(count)])
    }
    return TextOperands(texts: numbered.map(\.text), lines: numbered.map(\.number), skipped: [])
  }

  /// The lines of the texts, where some before them were left out.
  var shiftedLines: [Int] { skipped.isEmpty ? [] : lines }

  /// How a message calls a text.
  func name(_ index: Int) -> String {
    lines.indices.contains(index)
      ? "line \(lines[index]) of stdin" : "text \(index), counted from 0,"
  }

  /// An error that has a text's index, with its line beside it.
  func located(_ error: HybridError) -> HybridError {
    guard let index = error.details["index"]?.int, lines.indices.contains(index) else {
      return error
    }
    var error = error
    error.message += " (line \(lines[index]) of stdin)"
    error.details["line"] = .int(lines[index])
    return error
  }

  /// The lines without their ends, `\n` or `\r\n`. What follows the last end is a line where it is not
  /// empty.
  static func lines(of text: String) -> [String] {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
      }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
