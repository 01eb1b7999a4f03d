#if LocalLlama
  import HybridLocal
  import Measuring

  struct Options {
    var rounds = 9
    /// Steps of a run.
    var steps = 64
    /// The ceiling.
    var threads = Machine.current.threadPlan().decode.count
    var neighbours = [0, 1, 2]
    var model = InstalledFiles.model
    var record: String?

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        guard let value = rest.next() else { throw UsageError("\(name) lacks a value") }
        switch (name, Int(value)) {
        case ("--rounds", let count?) where count > 0: rounds = count
        case ("--steps", let count?) where count > 15: steps = count
        case ("--threads", let count?) where count > 0: threads = count
        case ("--neighbours", let count?) where count >= 0: neighbours = [count]
        case ("--model", _): model = value
        case ("--record", _): record = value
        default: throw UsageError("unknown option or value: \(name) \(value)")
        }
      }
    }
  }
#endif
