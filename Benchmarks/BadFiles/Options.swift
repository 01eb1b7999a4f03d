#if LocalLlama
  import Measuring

  struct Options {
    /// In the order in which they are tried.
    static let allSets = [
      "bad", "mutants", "smashes", "keys", "types", "tensors", "tokenizers", "architectures",
    ]

    var sets = allSets
    var mutants: UInt64 = 1_000
    var smashes: UInt64 = 1_000
    /// Seconds that one file may take.
    var limit = 30
    /// Where files that end a process are kept.
    var keep: String?
    /// The file to try in this process, which is a child.
    var attempt: String?

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        guard let value = rest.next() else { throw UsageError("\(name) lacks a value") }
        switch (name, UInt64(value)) {
        case ("--sets", _):
          sets = value.split(separator: ",").map(String.init)
          if let other = sets.first(where: { !Self.allSets.contains($0) }) {
            throw UsageError("unknown set: \(other)")
          }
        case ("--mutants", let count?): mutants = count
        case ("--smashes", let count?): smashes = count
        case ("--limit", let count?) where (1...3_600).contains(count): limit = Int(count)
        case ("--keep", _): keep = value
        case (Child.argument, _): attempt = value
        default: throw UsageError("unknown option or value: \(name) \(value)")
        }
      }
    }
  }
#endif
