internal import HybridCore

/// Where a command writes: answers to stdout, everything else to stderr.
struct Console: Sendable {
  /// How stderr is dressed, and whether stdout is a terminal.
  let appearance: Appearance

  private let output = DescriptorWriter(descriptor: StandardStream.output.rawValue)
  private let errors = DescriptorWriter(descriptor: StandardStream.error.rawValue)

  /// Writes to stdout at once.
  ///
  /// - Throws: `outputClosed` where the reader has gone, `outputFailed` for a full disk and the like.
  func write(_ text: String) throws(HybridError) {
    do throws(SystemFailure) {
      try output.write(text)
    } catch {
      if error.isClosedPipe {
        throw HybridError(.outputClosed, "the reader of stdout has gone")
      }
      throw HybridError(
        .outputFailed, "cannot write to stdout: \(error)",
        nextStep: "Free some space or redirect stdout elsewhere; the answer is not complete")
    }
  }

  func print(_ lines: AnswerPrinter.Lines) throws(HybridError) {
    if !lines.output.isEmpty { try write(lines.output) }
    for line in lines.notes { note(line) }
  }

  /// Writes a line to stderr. Where that cannot be written there is nobody to tell.
  func note(_ text: String) {
    try? errors.write(text + "\n")
  }
}

extension ErrorCode {
  /// The reader of stdout has gone.
  static let outputClosed = ErrorCode(rawValue: "outputClosed")
  /// Stdout cannot be written.
  static let outputFailed = ErrorCode(rawValue: "outputFailed")
}
