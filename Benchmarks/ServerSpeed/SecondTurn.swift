#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  struct SecondTurn {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    /// - Returns: false where less of the prompt was in the cache than should be.
    func run() async throws -> Bool {
      let own = options.executor()
      _ = try await own.see(request("Hello.", tokens: 4))
      var prompts = Prompts()
      var ratios: [Double] = []
      var shares: [Double] = []
      for _ in 1...options.rounds {
        var conversation = request(prompts.next(tokens: 1000), tokens: 16)
        let first = try await own.see(conversation)
        conversation.messages += [.assistant(first.text), .user("And then?")]
        let second = try await own.see(conversation)
        guard let usage = second.completion?.usage, let prompt = usage.promptTokens else {
          continue
        }
        ratios.append(second.firstToken.inSeconds / first.firstToken.inSeconds)
        shares.append(Double(usage.cachedTokens ?? 0) / Double(prompt))
      }
      print(
        "turn: time to first token, second turn to first   \(Quantiles(ratios).quartiles())   (aim: 0.15 or less)"
      )
      print(
        "turn: share of the prompt from the cache   \(Quantiles(shares).quartiles())   (aim: 0.95 or more)"
      )
      await own.close()
      return Quantiles(shares).median >= 0.95
    }
  }
#endif
