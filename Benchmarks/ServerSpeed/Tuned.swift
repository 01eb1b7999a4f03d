#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridRemote
  import Measuring

  /// The tuned copy of the model against llama-server on the file as distributed.
  ///
  /// Both are timed from outside: a prompt by its first token, an answer by the tokens after that.
  struct Tuned {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      var tunerOptions = ModelTuner.Options()
      tunerOptions.threads = options.threads
      let tuning = try await ModelTuner(modelPath: options.model, options: tunerOptions).tune()
      guard let kept = tuning.kept, let quality = kept.measurement?.quality else {
        print("tuned: no copy is better than the file itself")
        return
      }
      print(
        "tuned: \(kept.format), perplexity ratio \(number(quality.perplexityRatio, 4)) ± "
          + "\(number(quality.ratioError, 4)), KL divergence \(number(quality.divergence, 4)) over "
          + "\(quality.tokens) tokens   (aim: ratio within 0.01 of 1)")

      let own = options.executor(contextLength: 1024, parallel: 1, usesTunedCopy: true)
      let server = try Server(options, slots: 1, context: 1024, threads: options.threads)
      var prompts = Prompts()
      var prefills: [Double] = []
      var decodes: [Double] = []
      print("tuned: tokens a second   own: prefill  decode   llama-server: prefill  decode")
      for round in 0...options.rounds {
        let prompt = prompts.next(tokens: 512)
        var speeds: [(prefill: Double, decode: Double)] = [(0, 0), (0, 0)]
        for side in round % 2 == 0 ? [0, 1] : [1, 0] {
          let ask = request(prompt, tokens: 64)
          let seen =
            side == 0 ? try await own.see(ask) : try await server.client.see(ask)
          let promptTokens = Double(seen.completion?.usage?.promptTokens ?? 0)
          speeds[side] = (
            promptTokens / seen.firstToken.inSeconds,
            Double(seen.tokens - 1) / (seen.total - seen.firstToken).inSeconds
          )
          if side == 0, seen.completion?.tunedFormat != kept.format {
            throw UsageError("the copy was not used")
          }
        }
        // The first of each loads, or sets things up.
        if round == 0 { continue }
        prefills.append(speeds[0].prefill / speeds[1].prefill)
        decodes.append(speeds[0].decode / speeds[1].decode)
        print(
          "\(round)   \(number(speeds[0].prefill, 0))  \(number(speeds[0].decode, 0))"
            + "   \(number(speeds[1].prefill, 0))  \(number(speeds[1].decode, 0))")
      }
      print(
        "tuned: prefill, ratio to llama-server   \(Quantiles(prefills).quartiles())   (aim: 2.0)")
      print(
        "tuned: decode, ratio to llama-server    \(Quantiles(decodes).quartiles())   (aim: 1.05)")
      await own.close()
    }
  }
#endif
