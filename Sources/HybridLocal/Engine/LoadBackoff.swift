package import HybridCore

/// When what failed may be tried again: to load a model, or to read its file.
package struct LoadBackoff: Sendable, Hashable {
  /// What is wrong with the file itself. A wrong setting is not among them: whoever asks is to be told
  /// of it each time, and no other side to answer in silence.
  private static let lasting: [ErrorCode] = [
    .modelFileInvalid, .modelUnsupported, .modelNotFound, .templateRejected,
  ]

  /// False for what only another file can change.
  package static func passes(_ code: ErrorCode) -> Bool { !lasting.contains(code) }

  package private(set) var failures = 0

  package init() {}

  /// It failed now.
  ///
  ///     1st failure 1 s, 2nd 2 s, 3rd 4 s, … 7th and later 60 s
  ///
  /// - Returns: when to try again; nil where only another file can help.
  package mutating func failed(_ code: ErrorCode, at now: Moment) -> Moment? {
    failures += 1
    guard Self.passes(code) else { return nil }
    return now + .seconds(min(60, 1 << min(failures - 1, 6)))
  }

  package mutating func succeeded() {
    failures = 0
  }
}
