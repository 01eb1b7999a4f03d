#if LocalLlama
  import HybridCore

  /// Loads files one at a time, and measures them in real steps on the calling thread.
  ///
  /// Only one is in memory at any time, so that the largest decides what is needed; each load costs
  /// little, since the file's pages stay in the system's cache.
  struct CopyMeter {
    let machine: Machine
    let threads: ThreadCounts
    let time: any TimeSource
    let isCancelled: () -> Bool

    /// What the original said at each place of the text.
    private var kept: [[UInt16]] = []
    private var surprises: [Double] = []
    private var text: [Token] = []

    init(
      machine: Machine, threads: ThreadCounts, time: any TimeSource,
      isCancelled: @escaping () -> Bool
    ) {
      self.machine = machine
      self.threads = threads
      self.time = time
      self.isCancelled = isCancelled
    }

    // MARK: Answers

    /// Places at the beginning that are left out: there is too little before them to go by.
    private static let unscored = 16
    private static let chunk = 64

    /// Remembers the original's distributions: two bytes a place and token of the vocabulary, 100 MB for
    /// 1,000 and 49,152.
    mutating func keepOriginal(
      _ path: String, _ header: GGUFHeader, text source: String, mostTokens: Int
    ) throws(HybridError) {
      (kept, surprises, text) = ([], [], [])
      let context = try load(path, header, length: mostTokens, outputs: Self.chunk)
      let beginning =
        context.model.addsBeginningToken ? [context.model.beginningToken].compactMap(\.self) : []
      text = Array(
        (beginning + (try context.model.tokenize(Array(source.utf8).span))).prefix(
          min(mostTokens, context.sequenceLength)))
      var distributions: [[UInt16]] = []
      var found: [Double] = []
      try walk(context) { index, next in
        var kept: [UInt16] = []
        guard let surprise = context.keepDistribution(after: index, token: next, in: &kept) else {
          return false
        }
        distributions.append(kept)
        found.append(surprise)
        return true
      }
      (kept, surprises) = (distributions, found)
    }

    mutating func forgetOriginal() {
      (kept, surprises) = ([], [])
    }

    func quality(of path: String, _ header: GGUFHeader) throws(HybridError) -> CopyQuality {
      let context = try load(path, header, length: text.count, outputs: Self.chunk)
      var found: [Double] = []
      var divergences: [Double] = []
      try walk(context) { index, next in
        guard
          let values = context.compareDistribution(
            after: index, token: next, with: kept[found.count])
        else { return false }
        found.append(values.surprise)
        divergences.append(values.divergence)
        return true
      }
      guard
        let quality = CopyQuality(original: surprises, copy: found, divergences: divergences)
      else { throw Self.failed("has no text to be compared over") }
      return quality
    }

    /// Computes the text, and visits each place that is scored with the token that follows.
    ///
    /// - Parameter visit: given the place in the batch; false where the logits are no numbers.
    private func walk(
      _ context: borrowing LlamaContext, _ visit: (Int, Token) -> Bool
    ) throws(HybridError) {
      var start = 0
      while start < text.count {
        let end = min(text.count, start + Self.chunk)
        try step(context, tokens: text[start..<end], from: start, allLogits: true)
        for place in start..<end where place >= Self.unscored && place + 1 < text.count {
          guard visit(place - start, text[place + 1]) else {
            throw Self.failed("gives logits that are no numbers")
          }
        }
        start = end
      }
    }

    // MARK: Speed

    /// Tokens a second of one prompt and one answer, after a warm-up.
    func speeds(
      of path: String, _ header: GGUFHeader, promptTokens: Int, outputTokens: Int,
      neighbours: inout NeighbourWatch
    ) throws(HybridError) -> (prefill: Double, decode: Double) {
      let context = try load(path, header, length: promptTokens + outputTokens, outputs: 1)
      // Which tokens does not matter: all cost the same.
      let most = max(1, min(1_000, context.model.tokenCount))
      let prompt = (0..<promptTokens).map { Token($0 % most) }
      // What comes first sets things up, and wakes the threads.
      try step(context, tokens: prompt.prefix(64), from: 0)
      try step(context, tokens: prompt.prefix(1), from: min(64, promptTokens))
      context.clearMemory()

      func timed(
        threads: Int, _ neighbours: inout NeighbourWatch, _ body: () throws(HybridError) -> Void
      ) throws(HybridError) -> Duration {
        // The neighbours are told from the threads that were set last.
        _ = context.setThreads(threads)
        let start = time.now()
        neighbours.begin(at: start, computeTime: context.computeTime)
        try body()
        let end = time.now()
        neighbours.end(at: end, computeTime: context.computeTime)
        return end - start
      }
      let prefill = try timed(threads: threads.prefill, &neighbours) { () throws(HybridError) in
        var place = 0
        while place < prompt.count {
          let end = min(prompt.count, place + context.batchCapacity)
          try step(context, tokens: prompt[place..<end], from: place)
          place = end
        }
      }
      let decode = try timed(threads: threads.decode, &neighbours) { () throws(HybridError) in
        for number in 0..<outputTokens {
          try step(context, tokens: prompt.prefix(1), from: promptTokens + number)
        }
      }
      func speed(_ tokens: Int, _ time: Duration) -> Double {
        Double(tokens) / max(time.inSeconds, 1e-9)
      }
      return (speed(promptTokens, prefill), speed(outputTokens, decode))
    }

    // MARK: Steps

    private func load(
      _ path: String, _ header: GGUFHeader, length: Int, outputs: Int
    ) throws(HybridError) -> LlamaContext {
      let length = min(length, header.shape.trainedContextLength)
      try LoadPlan(
        header, memory: machine.memoryBudget(), explicit: length,
        sharing: LoadPlan.Sharing(slots: 1, totalLength: length)
      ).requireMemory()
      let model = try LlamaModel(path: path, part: .everything) { _ in !isCancelled() }
      var options = LlamaContext.Options(length: length, threads: threads)
      if outputs > 1 {
        (options.batch, options.microBatch) = (outputs, outputs)
        options.outputsPerSequence = outputs
      }
      return try LlamaContext(model: model, options: options, isAborted: isCancelled)
    }

    private func step(
      _ context: borrowing LlamaContext, tokens: some Collection<Token>, from position: Int,
      allLogits: Bool = false
    ) throws(HybridError) {
      context.clearBatch()
      for (place, token) in tokens.enumerated() {
        let isIn = context.addToBatch(
          token, position: position + place,
          wantsLogits: allLogits || place == tokens.count - 1)
        guard isIn else { throw Self.failed("does not take \(tokens.count) tokens") }
      }
      switch context.decode() {
      case .done: return
      case .aborted: throw HybridError(.cancelled, "tuning was stopped", side: .local)
      case let outcome: throw Self.failed("ended \(outcome)")
      }
    }

    private static func failed(_ what: String) -> HybridError {
      HybridError(
        .decodeFailed, "a decode for tuning \(what)",
        nextStep: "Check that the model file is whole", side: .local)
    }
  }
#endif
