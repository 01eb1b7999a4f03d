#if LocalLlama
  import HybridLocal
  import Measuring

  struct Options {
    enum Measure: String, CaseIterable {
      case first, clients, turn, gap, cancel, lookup, neighbours, tuned, embed, isolated
    }

    var measures: [Measure] = []
    var rounds = 9
    var threads = Machine.current.threadPlan().decode.count
    var model = InstalledFiles.model
    var server = InstalledFiles.peer("llama-server")
    /// nil: the model's own.
    var pooling: Pooling?

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
        case ("--threads", let count?) where count > 0: threads = count
        case ("--model", _): model = value
        case ("--llama-server", _): server = value
        case ("--pooling", _): pooling = Pooling(rawValue: value)
        default: throw UsageError("unknown option or value: \(name) \(value)")
        }
      }
      if measures.isEmpty { measures = Measure.allCases }
      if pooling == nil, model == InstalledFiles.model { pooling = .mean }
    }

    func executor(
      contextLength: Int = 2048, parallel: Int = 8, total: Int? = nil,
      usesPromptLookup: Bool = false, usesTunedCopy: Bool = false
    ) -> LocalExecutor {
      LocalExecutor(
        modelPath: model,
        options: .init(
          contextLength: contextLength, parallelRequests: parallel, totalContextLength: total,
          usesPromptLookup: usesPromptLookup, threads: threads, usesTunedCopy: usesTunedCopy))
    }
  }
#endif
