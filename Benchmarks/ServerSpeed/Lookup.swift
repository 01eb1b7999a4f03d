#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  /// Prompt look-up against the same engine without it, in turn.
  struct Lookup {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let plain = options.executor(parallel: 1)
      let ahead = options.executor(parallel: 1, usesPromptLookup: true)
      _ = try await plain.see(request("Hello.", tokens: 4))
      _ = try await ahead.see(request("Hello.", tokens: 4))
      try await compare("quoting", Self.quoting, plain, ahead, aim: "1.3 or more")
      try await compare("other", Self.other, plain, ahead, aim: "0.97 or more")
      await plain.close()
      await ahead.close()
    }

    private func compare(
      _ name: String, _ prompts: [String], _ plain: LocalExecutor, _ ahead: LocalExecutor,
      aim: String
    ) async throws {
      var ratios: [Double] = []
      var compared = 0
      var diverged = 0
      for round in 0...options.rounds {
        for prompt in prompts {
          let request = request("\(prompt)\n\nRound \(round).", tokens: 96)
          var seen: [Seen] = []
          // In turn who goes first.
          for side in round % 2 == 0 ? [plain, ahead] : [ahead, plain] {
            seen.append(try await side.see(request))
          }
          if round % 2 == 1 { seen.swapAt(0, 1) }
          if round == 0 { continue }
          let common = zip(seen[0].text, seen[1].text).prefix { $0 == $1 }.count
          let isSame = common == max(seen[0].text.count, seen[1].text.count)
          compared +=
            isSame ? seen[0].tokens : seen[0].tokens * common / max(1, seen[0].text.count)
          diverged += isSame ? 0 : 1
          ratios.append(seen[1].decodeSpeed / seen[0].decodeSpeed)
        }
      }
      print("look-up, \(name): decode to plain   \(Quantiles(ratios).quartiles())   (aim: \(aim))")
      print(
        "look-up, \(name): \(diverged) answers took another token, in \(compared) tokens compared")
    }

    private static let text = """
      The lighthouse at Carrow Point was built in 1871 by two brothers from the village. It stands \
      on a rock that is dry for three hours a day, and its lamp can be seen from twenty miles away. \
      In the winter of 1903 a storm broke eleven of its windows, and the keeper carried the oil up \
      ninety-four steps by hand for six days. The lamp was lit by electricity in 1954, and the last \
      keeper left in 1988. Since then the village looks after it, and every May it is painted white.
      """

    private static let quoting = [
      "Repeat this text word for word:\n\n\(text)",
      "Correct the spelling of this text and write it out in full, changing nothing else:\n\n\(text)",
      "Copy the sentences of this text, one to a line:\n\n\(text)",
    ]

    private static let other = [
      "Write a story about a dog that learns to swim.",
      "Explain why the sky is blue.",
      "What should I pack for a week in the mountains?",
    ]
  }
#endif
