#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal

  /// The growth of resident memory over a load and a full context, against what was foretold. Each
  /// context in a process of its own: what one leaves with the allocator would be missing in the next.
  struct MemoryCheck {
    let options: Options
    let contexts: [Int]

    /// - Returns: false where the estimate is off by more than 15 %.
    func run() async throws -> Bool {
      if contexts.count == 1 { return try await measure(contexts[0]) }
      // Not by `print`, which the others' lines would overtake.
      let head = "context   foretold   measured MiB   ratio   (aim: 0.85 to 1.15)\n"
      FileHandle.standardOutput.write(Data(head.utf8))
      var isNear = true
      for context in contexts {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe")
        process.arguments = [
          "--memory", "\(context)", "--model", options.model, "--threads", "\(options.threads)",
          "--parallel", "\(options.parallel)",
        ]
        if let filled = options.filled { process.arguments? += ["--filled", "\(filled)"] }
        try process.run()
        process.waitUntilExit()
        isNear = isNear && process.terminationStatus == 0
      }
      return isNear
    }

    private func measure(_ context: Int) async throws -> Bool {
      let header = try GGUFHeader(path: options.model)
      let slots = options.parallel
      // As a load of the executor's plans them, where several run at once.
      let sequences = slots == 1 ? 1 : slots + max(8, slots)
      let foretold = MemoryEstimate(
        header, contextLength: context, sequences: sequences
      ).totalBytes
      try LlamaLibrary.start()
      let before = try ProcessCounts.residentBytes()
      let threads = ThreadCounts(decode: options.threads, prefill: options.threads)
      var shared = LlamaContext.Options(length: context, threads: threads)
      shared.sequences = sequences
      let engine = try Engine(
        options: .init(
          path: options.model, modelName: "test", contextLength: context, slots: slots,
          context: shared, queueCapacity: slots),
        time: SystemTimeSource())
      _ = try await engine.loaded.wait()
      // Together one token each short of the context, and one generated each: it is full. Where less is
      // to be filled, llama.cpp has written zeros to the rest. They share
      // no prefix, which would be held once.
      let filled = min(context, options.filled ?? context)
      let jobs = try (0..<slots).map { number in
        try engine.submit(
          .init(
            prompt: (1..<(filled / slots)).map { (place: Int) in
              Token(1000 + (place + number) * 37 % 20_000)
            },
            sampler: .greedy, maxTokens: 1, received: SystemTimeSource().now()))
      }
      for job in jobs { while try await job.events.next() != nil {} }
      let grown = try ProcessCounts.residentBytes() - before
      func mebibytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_048_576) }
      let ratio = Double(foretold) / Double(grown)
      print(
        "\(context)   \(mebibytes(foretold))   \(mebibytes(grown))   "
          + String(format: "%.3f", ratio))
      return (0.85...1.15).contains(ratio)
    }
  }
#endif
