/// Names that somebody who mistyped may have meant.
enum NearNames {
  /// Up to three, the nearest first: those that contain the text, and those a few letters away
  /// (one in three, ignoring case).
  static func of(_ text: String, among names: [String]) -> [String] {
    let wanted = Array(text.lowercased().utf8.prefix(128))
    guard !wanted.isEmpty else { return [] }
    let ranked = names.compactMap { name -> (name: String, distance: Int)? in
      let candidate = Array(name.lowercased().utf8.prefix(128))
      let distance = distance(wanted, candidate)
      if distance * 3 <= max(wanted.count, candidate.count) { return (name, distance) }
      let contains = name.lowercased().contains(text.lowercased())
      return contains && wanted.count >= 3 ? (name, distance) : nil
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// Letters to add, drop or change.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in second.enumerated() {
        let change = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
