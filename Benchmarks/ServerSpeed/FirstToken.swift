#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridRemote
  import Measuring

  struct FirstToken {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = options.executor()
      let server = try Server(
        options, slots: 1, context: 2048, threads: options.threads)
      var prompts = Prompts()
      var ratios: [Double] = []
      var ours: [Double] = []
      for round in 0...(2 * options.rounds) {
        // Not the same text for both sides in turn: the one that is second finds the machine warmer.
        let prompt = prompts.next(tokens: 128)
        var seconds: [Double] = [0, 0]
        for side in round % 2 == 0 ? [0, 1] : [1, 0] {
          let seen =
            side == 0
            ? try await own.see(request(prompt, tokens: 4))
            : try await server.client.see(request(prompt, tokens: 4))
          seconds[side] = seen.firstToken.inSeconds
          if round == 0 {
            print("first: prompt of \(seen.completion?.usage?.promptTokens ?? 0) tokens")
          }
        }
        if round > 0 {
          ratios.append(seconds[0] / seconds[1])
          ours.append(seconds[0])
        }
      }
      print("first: own time to first token, median \(number(Quantiles(ours).median * 1000, 1)) ms")
      print("first: ratio to llama-server   \(Quantiles(ratios).quartiles())   (aim: 0.95 or less)")
      await own.close()
    }
  }
#endif
