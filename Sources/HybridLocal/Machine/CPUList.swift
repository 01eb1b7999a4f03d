/// A set of CPU numbers, in the kernel's own notation: `0-3,8,10-11`.
package struct CPUList: Hashable, Sendable, CustomStringConvertible {
  /// The numbers, ascending, each once.
  package let cpus: [Int]

  package init(_ cpus: some Sequence<Int>) {
    self.cpus = Set(cpus).sorted()
  }

  /// The list that the kernel wrote, or nil when the text is not one. Blank text is the empty list.
  ///
  /// Numbers above 65,535 are refused, so that no file can ask for a list that fills the memory.
  package init?(parsing text: String) {
    var cpus: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let range = part.trimmingBlanks
      if range.isEmpty { continue }
      let ends = range.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count <= 2, let first = Self.number(ends[0]),
        let last = Self.number(ends[ends.count - 1]), first <= last
      else { return nil }
      cpus.formUnion(first...last)
    }
    self.cpus = cpus.sorted()
  }

  private static func number(_ text: Substring) -> Int? {
    guard let number = UInt16(text.trimmingBlanks) else { return nil }
    return Int(number)
  }

  package var count: Int { cpus.count }
  package var isEmpty: Bool { cpus.isEmpty }

  package func intersection(_ other: CPUList) -> CPUList {
    let others = Set(other.cpus)
    return CPUList(cpus.filter { others.contains($0) })
  }

  package func subtracting(_ other: CPUList) -> CPUList {
    let others = Set(other.cpus)
    return CPUList(cpus.filter { !others.contains($0) })
  }

  package var description: String {
    var parts: [String] = []
    var index = 0
    while index < cpus.count {
      let first = cpus[index]
      while index + 1 < cpus.count, cpus[index + 1] == cpus[index] + 1 { index += 1 }
      parts.append(first == cpus[index] ? "\(first)" : "\(first)-\(cpus[index])")
      index += 1
    }
    return parts.joined(separator: ",")
  }
}

extension StringProtocol {
  /// The text without spaces, tabs and line ends at both ends.
  var trimmingBlanks: SubSequence {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
