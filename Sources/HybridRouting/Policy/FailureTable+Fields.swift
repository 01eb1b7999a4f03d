import HybridCore

/// The rows in which a table differs from the standard one, as a policy's JSON has them: under a
/// kind's name, the fields that are to differ.
///
///     "failures": { "credentials": { "fallback": "never" }, "rateLimit": { "codes": ["overloaded"] } }
///
/// Codes listed move there from the rows that they were in. A row's words and what it does to the
/// local side cannot be changed this way.
struct FailureTableFields: Codable {
  var table: FailureTable

  init(_ table: FailureTable) {
    self.table = table
  }

  private enum Field: String, CodingKey, CaseIterable {
    case retry, fallback, countsForBreaker, coolDown, delays, codes
  }

  init(from decoder: any Decoder) throws {
    table = .standard
    let kinds = table.rows.map(\.kind)
    try decoder.refuseUnknownKeys(known: kinds.map(\.rawValue))
    let container = try decoder.container(keyedBy: KindKey.self)
    for kind in kinds where container.contains(KindKey(kind)) {
      let fields = try StrictFields<Field>(container.superDecoder(forKey: KindKey(kind)))
      var row = table[kind]
      try fields.read(.retry, into: &row.retry)
      try fields.read(.fallback, into: &row.fallback)
      try fields.read(.countsForBreaker, into: &row.countsForBreaker)
      try fields.read(.coolDown, into: &row.coolDown)
      try fields.read(.delays, into: &row.delays)
      table[kind] = row
      var codes: [ErrorCode] = []
      try fields.read(.codes, into: &codes)
      for code in codes { table.move(code, to: kind) }
    }
  }

  /// - Throws: for a row that could not be read back: one of a kind of its own, or with other words
  ///   or another effect on the local side than the standard one.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: KindKey.self)
    for row in table.rows {
      let standard = FailureTable.standard[row.kind]
      guard FailureTable.standard.rows.contains(standard), row.summary == standard.summary,
        row.localEffect == standard.localEffect
      else {
        let place = container.codingPath + [KindKey(row.kind)]
        throw EncodingError.invalidValue(
          row,
          .init(
            codingPath: place,
            debugDescription: "a policy's JSON has no room for the row \(row.kind.rawValue)"))
      }
      let moved = Set(table.codes(of: row.kind))
        .subtracting(FailureTable.standard.codes(of: row.kind))
      guard row != standard || !moved.isEmpty else { continue }
      var fields = container.nestedContainer(keyedBy: Field.self, forKey: KindKey(row.kind))
      try fields.encode(row.retry, forKey: .retry)
      try fields.encode(row.fallback, forKey: .fallback)
      try fields.encode(row.countsForBreaker, forKey: .countsForBreaker)
      try fields.encode(row.coolDown, forKey: .coolDown)
      try fields.encode(row.delays, forKey: .delays)
      if !moved.isEmpty {
        try fields.encode(moved.map(\.rawValue).sorted(), forKey: .codes)
      }
    }
  }

  private struct KindKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ kind: FailureKind) {
      stringValue = kind.rawValue
    }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }
}
