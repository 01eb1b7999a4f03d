internal import HybridCore

/// Texts from operands, or one from each line of stdin.
enum TextOperands {
  /// - Throws: `usage` where there are none and stdin is a terminal; `invalidText`, `invalidFile`. An
  ///   empty text is left to whoever takes it, so that a line's number stays the text's.
  static func read(_ operands: [String]) throws(HybridError) -> [String] {
    if !operands.isEmpty, operands != ["-"] { return operands }
    if operands.isEmpty, StandardStream.input.isTerminal {
      throw .usage("no TEXT, and stdin is a terminal", nextStep: "write the texts or pipe them in")
    }
    return lines(of: try TextInput.standard.readAll())
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
