#if LocalLlama
  import Measuring

  struct Options {
    enum Measure: String, CaseIterable {
      case render, tokenise
    }

    var measures: [Measure] = []
    var rounds = 9
    var model = InstalledFiles.model
    /// A part of the names of the templates to render; nil: all.
    var only: String?

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        if let measure = Measure(rawValue: name) {
          measures.append(measure)
          continue
        }
        guard let value = rest.next() else { throw UsageError("\(name) lacks a value") }
        switch (name, Int(value)) {
        case ("--rounds", let count?) where count > 0: rounds = count
        case ("--model", _): model = value
        case ("--only", _): only = value
        default: throw UsageError("unknown option or value: \(name) \(value)")
        }
      }
      if measures.isEmpty { measures = Measure.allCases }
    }
  }
#endif
