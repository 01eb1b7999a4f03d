#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  /// One stream beside busy processes: the adaptive thread count against the server's own.
  struct BesideNeighbours {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = LocalExecutor(
        modelPath: options.model, options: .init(contextLength: 1024, parallelRequests: 1))
      let server = try Server(options, slots: 1, context: 1024, threads: nil)
      let neighbours = Neighbours()
      for count in 1...2 {
        try neighbours.set(count)
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in 0...options.rounds {
          // Counting goes on to the last token, and the prompt hardly counts.
          let request = request("Count from 1 to 100. This is round \(round).", tokens: 64)
          var speeds: [Double] = [0, 0]
          for side in round % 2 == 0 ? [0, 1] : [1, 0] {
            speeds[side] =
              side == 0
              ? try await Self.speed(of: own, request)
              : try await Self.speed(of: server.client, request)
          }
          // In the first round the engine finds its place.
          if round == 0 { continue }
          ours.append(speeds[0])
          theirs.append(speeds[1])
        }
        let ratios = zip(ours, theirs).map { $0 / $1 }
        print(
          "beside \(count): own \(number(Quantiles(ours).median, 1)), llama-server \(number(Quantiles(theirs).median, 1)) tokens a second after the first"
        )
        print(
          "beside \(count): ratio to llama-server   \(Quantiles(ratios).quartiles())   (aim: 1.8 or more)"
        )
      }
      await own.close()
    }

    /// As the client sees it.
    private static func speed(of side: some Executor, _ request: ChatRequest) async throws
      -> Double
    {
      let seen = try await side.see(request)
      return Double(seen.tokens - 1) / max(1e-9, (seen.total - seen.firstToken).inSeconds)
    }
  }
#endif
