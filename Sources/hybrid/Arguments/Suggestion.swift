internal import HybridCore

/// What somebody probably meant to type.
enum Suggestion {
  /// The names that the text begins, or else contains, or else the nearest one.
  static func names(for text: String, among names: [String], atMost count: Int = 3) -> [String] {
    let wanted = text.lowercased()
    let isLongEnough = wanted.count { $0.isLetter } >= 3
    let beginning = names.filter { isLongEnough && $0.lowercased().hasPrefix(wanted) }
    if !beginning.isEmpty { return Array(beginning.prefix(count)) }
    if let nearest = NearestName.of(text, among: names) { return [nearest] }
    return Array(names.filter { isLongEnough && $0.lowercased().contains(wanted) }.prefix(count))
  }

  static func name(for text: String, among names: [String]) -> String? {
    self.names(for: text, among: names, atMost: 1).first
  }
}
