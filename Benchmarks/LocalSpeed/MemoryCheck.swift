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
        ]
        try process.run()
        process.waitUntilExit()
        isNear = isNear && process.terminationStatus == 0
      }
      return isNear
    }

    private func measure(_ context: Int) async throws -> Bool {
      let header = try GGUFHeader(path: options.model)
      let foretold = MemoryEstimate(header, contextLength: context).totalBytes
      try LlamaLibrary.start()
      let before = try ProcessCounts.residentBytes()
      let threads = ThreadCounts(decode: options.threads, prefill: options.threads)
      let engine = try Engine(
        options: .init(
          path: options.model, modelName: "test", contextLength: context,
          context: .init(length: context, threads: threads), queueCapacity: 1),
        time: SystemTimeSource())
      _ = try await engine.loaded.wait()
      // One token short of the context, and one generated: it is full.
      let job = try engine.submit(
        .init(
          prompt: (1..<context).map { (place: Int) in Token(1000 + place * 37 % 20_000) },
          sampler: .greedy,
          maxTokens: 1, received: SystemTimeSource().now()))
      while try await job.events.next() != nil {}
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
