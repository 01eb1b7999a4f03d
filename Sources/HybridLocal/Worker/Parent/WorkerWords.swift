/// The end of what a process writes to stderr, fit to be shown.
package struct WorkerWords: Sendable {
  /// Bytes kept: the last lines are those that tell.
  package static let limit = 2048
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ more: some Collection<UInt8>) {
    bytes += more.suffix(Self.limit)
    if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
  }

  /// Without what moves a terminal's cursor, and without white space at its ends.
  package var text: String {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n", .spaceSeparator: scalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
        .surrogate:
        scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    let text = String(scalars)[...]
    let head = text.drop(while: \.isWhitespace)
    return String(head.prefix(head.count - head.reversed().prefix(while: \.isWhitespace).count))
  }
}
