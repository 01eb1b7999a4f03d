package import HybridCore

/// When a failed load may be tried again.
package struct LoadBackoff: Sendable, Hashable {
  package private(set) var failures = 0

  package init() {}

  /// A load failed now.
  ///
  ///     1st failure 1 s, 2nd 2 s, 3rd 4 s, … 7th and later 60 s
  ///
  /// - Returns: when to try again; nil where only another file can help.
  package mutating func failed(_ code: ErrorCode, at now: Moment) -> Moment? {
    failures += 1
    if [.modelFileInvalid, .modelUnsupported, .modelNotFound].contains(code) { return nil }
    return now + .seconds(min(60, 1 << min(failures - 1, 6)))
  }

  package mutating func succeeded() {
    failures = 0
  }
}
