#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  /// From a cancel to the moment that the engine turns to a request that waited.
  struct Cancels {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = options.executor(contextLength: 4096, parallel: 1, total: 4096)
      _ = try await own.see(request("Hello.", tokens: 4))
      var prompts = Prompts()
      var decode: [Double] = []
      var prefill: [Double] = []
      for _ in 1...options.rounds {
        decode.append(
          try await measure(own, request("Count to one thousand.", tokens: 500), pieces: 5))
        prefill.append(
          try await measure(own, request(prompts.next(tokens: 2000), tokens: 1), pieces: 0))
      }
      print(
        "cancel: until the engine works for another, decoding   \(Quantiles(decode).quartiles(digits: 1)) ms   (aim: one token)"
      )
      print(
        "cancel: the same in a prompt   \(Quantiles(prefill).quartiles(digits: 1)) ms   (aim: one micro-batch)"
      )
      await own.close()
    }

    /// - Returns: milliseconds.
    private func measure(_ own: some LocalSide, _ running: ChatRequest, pieces: Int) async throws
      -> Double
    {
      let clock = ContinuousClock()
      let stream = try await own.start(running, in: ExecutionContext())
      let events = stream.makeAsyncIterator()
      for _ in 0..<pieces { _ = try await events.next() }
      let waiting = try await own.start(request("Hi.", tokens: 1), in: ExecutionContext())
      let submitted = clock.now
      // The prompt is to be under way, and nothing of it shows outside.
      // Nothing tells when a prompt's computing has begun: a tenth of a second after its acceptance it has.
      if pieces == 0 { try await Task.sleep(for: .milliseconds(100)) }
      let start = clock.now
      stream.cancel()
      while try await events.next() != nil {}
      var queue = Duration.zero
      for try await event in waiting {
        if case .finished(let completion) = event { queue = completion.timings.queue ?? .zero }
      }
      return (queue - (start - submitted)).inSeconds * 1000
    }
  }
#endif
