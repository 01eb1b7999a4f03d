#if LocalLlama
  import Foundation

  /// Rounds of both, taking turns to go first, and the medians at the end.
  struct Comparison {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = try await OwnEngine(options)
      let peer = Peer(options: options)
      _ = try await own.measure()
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
      let engine = median(ours)
      let bench = median(theirs)
      show("median", engine, bench)
      print(
        "ratio   prefill \(number(engine.prefill / bench.prefill, 3))"
          + "   decode \(number(engine.decode / bench.decode, 3))   (aim: 0.95 or more in both)")
    }

    private func median(_ speeds: [Speeds]) -> Speeds {
      func middle(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      }
      return Speeds(prefill: middle(speeds.map(\.prefill)), decode: middle(speeds.map(\.decode)))
    }

    private func show(_ name: String, _ own: Speeds, _ peer: Speeds) {
      print(
        "\(name)   \(number(own.prefill, 1))  \(number(own.decode, 1))"
          + "   \(number(peer.prefill, 1))  \(number(peer.decode, 1))")
    }

    private func number(_ value: Double, _ digits: Int) -> String {
      String(format: "%.\(digits)f", value)
    }
  }
#endif
