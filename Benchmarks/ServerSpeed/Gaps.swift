#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  struct Gaps {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = options.executor(contextLength: 4096, parallel: 2, total: 4096)
      _ = try await own.see(request("Hello.", tokens: 4))
      var prompts = Prompts()
      let endless = try endlessSampling()
      var ratios: [Double] = []
      var firsts: [Double] = []
      var counts: [Double] = []
      for _ in 1...options.rounds {
        let long = request(prompts.next(tokens: 1500), tokens: 1)
        var arrival: (at: ContinuousClock.Instant, answer: Task<Seen, any Error>)?
        var story = request("Write a long story, number \(firsts.count).", tokens: 700)
        story.sampling = endless
        story.model = ModelName.stem(ofPath: options.model)
        let seen = try await own.see(story) { piece in
          // What comes before it is a quiet stream.
          if piece == 100 { arrival = (ContinuousClock.now, Task { try await own.see(long) }) }
        }
        guard let arrival, let last = seen.moments.last else { continue }
        let first = try await arrival.answer.value.firstToken
        // Only what the stream waits for while the long prompt is computed.
        let end = arrival.at + first
        guard last > end else { continue }
        firsts.append(first.inSeconds)
        let during = Quantiles(seen.gaps(from: arrival.at, to: end))
        counts.append(Double(during.sorted.count))
        ratios.append(during[0.99] / Quantiles(seen.gaps(to: arrival.at)).median)
      }
      guard !ratios.isEmpty else { throw UsageError("the stream ended before the prompt came") }
      print(
        "gap: 99th percentile of the gaps beside the prompt (median \(number(Quantiles(counts).median, 0)) of them) to the quiet median   \(Quantiles(ratios).quartiles())   (aim: 5 or less)"
      )
      print(
        "gap: the long prompt's own time to first token, median \(number(Quantiles(firsts).median, 2)) s"
      )
      await own.close()
    }

    /// Never chooses a token that ends the answer.
    private func endlessSampling() throws -> Sampling {
      let vocabulary = try LlamaModel(path: options.model, part: .vocabulary)
      var sampling = Sampling(temperature: 0)
      for token in 0..<vocabulary.tokenCount where vocabulary.endsGeneration(Token(token)) {
        sampling.logitBias[token] = -100
      }
      return sampling
    }
  }
#endif
