#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridRemote
  import Measuring

  struct Clients {
    static let count = 8
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = options.executor(contextLength: 1024, parallel: Self.count, total: 8192)
      let server = try Server(
        options, slots: Self.count, context: 8192, threads: options.threads)
      var prompts = Prompts()
      var ours: [Double] = []
      var theirs: [Double] = []
      for round in 0...options.rounds {
        let requests = (0..<Self.count).map { _ in
          request(prompts.next(tokens: 60), tokens: 64)
        }
        var speeds: [Double] = [0, 0]
        for side in round % 2 == 0 ? [0, 1] : [1, 0] {
          speeds[side] =
            side == 0
            ? try await Self.speed(of: own, requests)
            : try await Self.speed(of: server.client, requests)
        }
        if round == 0 { continue }
        ours.append(speeds[0])
        theirs.append(speeds[1])
      }
      let ratios = zip(ours, theirs).map { $0 / $1 }
      print(
        "clients: own \(number(Quantiles(ours).median, 1)), llama-server \(number(Quantiles(theirs).median, 1)) output tokens a second"
      )
      print(
        "clients: ratio to llama-server   \(Quantiles(ratios).quartiles())   (aim: 1.05 or more)")
      await own.close()
    }

    private static func speed(of side: some Executor, _ requests: [ChatRequest]) async throws
      -> Double
    {
      let clock = ContinuousClock()
      let start = clock.now
      let tokens = try await withThrowingTaskGroup(of: Int.self) { group in
        for request in requests {
          group.addTask { try await side.see(request).tokens }
        }
        return try await group.reduce(0, +)
      }
      return Double(tokens) / (clock.now - start).inSeconds
    }
  }
#endif
