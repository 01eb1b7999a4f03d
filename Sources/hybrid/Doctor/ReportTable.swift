/// A section of a report: a title, and below it one line a row in three columns.
///
///     Threads
///       decode      2   (one a physical core)
///       controller  on  (follows the load of the moment)
struct ReportTable: Sendable {
  struct Row: Sendable, Hashable {
    let name: String
    let value: String
    /// Where the value comes from.
    let source: String?
  }

  let title: String
  private(set) var rows: [Row] = []

  init(_ title: String) {
    self.title = title
  }

  mutating func add(_ name: String, _ value: String, from source: String? = nil) {
    rows.append(Row(name: name, value: value, source: source))
  }

  /// Lines without their last end. A value that is much longer than the others does not push them all
  /// to the right.
  var text: String {
    let nameWidth = rows.map(\.name.count).max() ?? 0
    let valueWidth =
      rows.filter { $0.source != nil }.map(\.value.count).filter { $0 <= Self.widest }.max() ?? 0
    let lines = rows.map { row in
      let start = "  \(Self.padded(row.name, nameWidth))  "
      guard let source = row.source else { return start + row.value }
      return start + "\(Self.padded(row.value, valueWidth))  (\(source))"
    }
    return ([title] + lines).joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static let widest = 30
}
