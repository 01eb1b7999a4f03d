/// What is done about every failure, as data: one row a kind, each error code in exactly one row.
///
///     var table = FailureTable.standard
///     table[.credentials].fallback = .never      // a wrong key is to be noticed
///     table.move(.overloaded, to: .rateLimit)    // this gateway's 503 means "slow down"
///     table.row(for: .server).retry              // .whilePatient
///
/// The same table serves the gateway client alone, routing, and `hybrid explain`.
public struct FailureTable: Sendable, Hashable {
  /// In the order of the documentation.
  public private(set) var rows: [FailureRow]

  private var kinds: [ErrorCode: FailureKind]

  /// The rows with the codes that belong to each. A code named twice belongs to the last row.
  init(_ entries: [(row: FailureRow, codes: [ErrorCode])]) {
    rows = []
    kinds = [:]
    for entry in entries {
      self[entry.row.kind] = entry.row
      for code in entry.codes { kinds[code] = entry.row.kind }
    }
  }

  /// The row of a kind. Setting replaces it, or adds it at the end where the table has none.
  ///
  /// A kind that the table does not have reads as a copy of the row `unknown` under its name.
  public subscript(kind: FailureKind) -> FailureRow {
    get { rows.first { $0.kind == kind } ?? Self.unknown(kind) }
    set {
      var row = newValue
      if row.kind != kind { row = row.renamed(kind) }
      if let place = rows.firstIndex(where: { $0.kind == kind }) {
        rows[place] = row
      } else {
        rows.append(row)
      }
    }
  }

  /// What is done about a failure.
  ///
  /// - Parameters:
  ///   - code: one in no row is treated by the row `unknown`: not repeated, the other side takes
  ///     over and the failure is reported, the breaker does not count it.
  ///   - afterOutput: true once output had been handed to the caller; see
  ///     ``FailureRow/afterOutput``.
  public func row(for code: ErrorCode, afterOutput: Bool = false) -> FailureRow {
    let row = self[kinds[code] ?? .unknown]
    return afterOutput ? row.afterOutput : row
  }

  /// The codes of a row, sorted.
  public func codes(of kind: FailureKind) -> [ErrorCode] {
    kinds.filter { $0.value == kind }.map(\.key).sorted { $0.rawValue < $1.rawValue }
  }

  /// Treats a code by another row from now on.
  public mutating func move(_ code: ErrorCode, to kind: FailureKind) {
    kinds[code] = kind
  }

  static func unknown(_ kind: FailureKind = .unknown) -> FailureRow {
    FailureRow(kind, "any other failure", fallback: .reported)
  }
}

extension FailureRow {
  fileprivate func renamed(_ kind: FailureKind) -> FailureRow {
    FailureRow(
      kind, summary, retry: retry, fallback: fallback, countsForBreaker: countsForBreaker,
      coolDown: coolDown, localEffect: localEffect, delays: delays)
  }
}
