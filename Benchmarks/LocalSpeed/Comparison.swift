#if LocalLlama
  import Measuring

  /// Many short rounds of both, taking turns to go first.
  ///
  /// On a machine that others use too, one round may be off by a third. Each round gives a ratio of two
  /// measurements made within seconds of each other, and the median of the ratios is what counts.
  struct Comparison {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = try await OwnEngine(options)
      let peer = Peer(options: options)
      // The first of each pays for what a machine does only once: reading the file, waking the clock.
      _ = try await own.measure()
      _ = try peer.measure()
      print("\(options.threads) threads, \(options.model)")
      print(
        "prompt \(options.promptTokens) tokens, output \(options.outputTokens); tokens a second")
      print("round   engine: prefill  decode   llama-bench: prefill  decode")
      var ours: [Speeds] = []
      var theirs: [Speeds] = []
      for round in 1...options.rounds {
        if round % 2 == 0 {
          theirs.append(try peer.measure())
          ours.append(try await own.measure())
        } else {
          ours.append(try await own.measure())
          theirs.append(try peer.measure())
        }
        show("\(round)", ours[round - 1], theirs[round - 1])
      }
      print("ratios of the rounds: a quarter below, median, a quarter above   (aim: 0.98 or more)")
      let pairs = zip(ours, theirs)
      summarize("prefill", pairs.map { $0.prefill / $1.prefill })
      summarize("decode ", pairs.map { $0.decode / $1.decode })
    }

    private func summarize(_ name: String, _ ratios: [Double]) {
      print("\(name)   \(Quantiles(ratios).quartiles())")
    }

    private func show(_ name: String, _ own: Speeds, _ peer: Speeds) {
      print(
        "\(name)   \(number(own.prefill, 1))  \(number(own.decode, 1))"
          + "   \(number(peer.prefill, 1))  \(number(peer.decode, 1))")
    }
  }
#endif
