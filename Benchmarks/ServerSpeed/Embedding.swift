#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridRemote
  import Measuring

  /// Texts a second, of one call with many texts, against llama-server's /v1/embeddings on the same file.
  ///
  /// Both answer over all texts at once and are timed from outside; the server's answer is read to its
  /// last byte, and its JSON is not taken apart.
  struct Embedding {
    static let texts = 128
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      // The model's own where it has one.
      let embedder = LocalEmbedder(
        modelPath: options.model,
        options: .init(pooling: options.pooling, contextLength: 512, threads: options.threads))
      let server = try Server(
        options, slots: 8, context: 4096, threads: options.threads,
        further: ["--embeddings", "--ubatch-size", "512", "--batch-size", "512"]
          + (options.pooling.map { ["--pooling", $0.rawValue] } ?? []))
      for (name, words) in [("short", 1...16), ("long", 64...192)] {
        var ours: [Double] = []
        var theirs: [Double] = []
        var worst = 1.0
        for round in 0...options.rounds {
          let texts = (0..<Self.texts).map { Self.text(round * Self.texts + $0, words: words) }
          var speeds: [Double] = [0, 0]
          var vectors: [[[Float]]] = [[], []]
          var tokens = [0, 0]
          for side in round % 2 == 0 ? [0, 1] : [1, 0] {
            let clock = ContinuousClock()
            let start = clock.now
            if side == 0 {
              let found = try await embedder.embed(texts)
              speeds[0] = Double(texts.count) / (clock.now - start).inSeconds
              (vectors[0], tokens[0]) = (found.vectors, found.promptTokens)
            } else {
              let bytes = try await server.post(
                "/embeddings", ["input": .array(texts.map { .string($0) })])
              speeds[1] = Double(texts.count) / (clock.now - start).inSeconds
              let answer = try JSONReader.wire.read(bytes)
              vectors[1] = (answer["data"]?.array ?? []).map { item in
                (item["embedding"]?.array ?? []).map { Float($0.double ?? .nan) }
              }
              tokens[1] = answer["usage"]?["prompt_tokens"]?.int ?? 0
            }
          }
          guard tokens[0] == tokens[1], vectors[0].count == vectors[1].count else {
            throw UsageError(
              "the sides disagree: \(tokens) tokens, \(vectors.map(\.count)) vectors")
          }
          for (own, other) in zip(vectors[0], vectors[1]) {
            worst = min(worst, own.cosine(to: other))
          }
          // The first of each loads, or sets things up.
          if round == 0 {
            print("embed: \(name) texts, \(tokens[0] / texts.count) tokens each")
            continue
          }
          ours.append(speeds[0])
          theirs.append(speeds[1])
        }
        let ratios = zip(ours, theirs).map { $0 / $1 }
        print(
          "embed: \(name): own \(number(Quantiles(ours).median, 1)), llama-server "
            + "\(number(Quantiles(theirs).median, 1)) texts a second; smallest cosine between the two "
            + number(worst, 6))
        print("embed: \(name): ratio to llama-server   \(Quantiles(ratios).quartiles())")
      }
      await embedder.close()
    }

    private static let words = [
      "one", "two", "three", "sea", "tree", "house", "light", "water", "stone", "bird", "river",
      "night", "road", "green", "small", "wind", "fire", "hand", "time",
    ]

    /// A text of its own, of a length within the range.
    private static func text(_ number: Int, words range: ClosedRange<Int>) -> String {
      let count = range.lowerBound + number * 37 % range.count
      return (0..<count).map { words[($0 * 7 + number * 3 + $0 * number) % words.count] }
        .joined(separator: " ")
    }
  }
#endif
