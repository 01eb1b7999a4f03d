#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    /// A real server's vectors and counts of the same texts, by the same file.
    struct EmbeddingServerTests {
      static let texts = [
        "Why is the sky blue?", "Hello", "  two  spaces  ", "日本語のテキスト", "naïve café",
        "A longer text, which says several things: that the sun is warm, that water is wet, and that a "
          + "model which reads it makes one vector of it all.",
        "def f(x):\n    return x + 1\n", "👩‍👩‍👧‍👦 🙂",
      ]

      /// - Parameter cosine: the least between the two vectors of a text.
      private static func compare(
        _ texts: [String], _ path: String, context: Int, pooling: Pooling?, atLeast least: Double
      ) async throws {
        let server = try await LlamaServer(
          embedding: path, context: context, pooling: pooling?.rawValue ?? "model")
        let embedder = LocalEmbedder(
          modelPath: path, options: .init(pooling: pooling, threads: 1))
        let own = try await embedder.embed(texts)
        let theirs = try await server.embeddings(of: texts)
        #expect(own.promptTokens == theirs.promptTokens)
        #expect(theirs.vectors.count == texts.count)
        for (index, text) in texts.enumerated() {
          let cosine = own.vectors[index].cosine(to: theirs.vectors[index])
          #expect(cosine >= least, "\(text): \(cosine)")
          #expect(own.tokenCounts[index] > 0)
        }
        await embedder.close()
      }

      @Test(arguments: [1, 2, 3] as [UInt32])
      func `an encoder's vectors and counts are llama-server's`(number: UInt32) async throws {
        try await GGUFWriter.tinyBERT(pooling: number).withFile { path in
          try await Self.compare(
            EmbedderTests.texts, path, context: 64, pooling: nil, atLeast: 0.9999)
        }
      }

      @Test func `a chat model's pooled vectors and counts are llama-server's`() async throws {
        // Its weights are quantised, and the server's wheel is another llama.cpp with other kernels for
        // them; against the same llama.cpp they are nearer.
        try await Self.compare(
          Self.texts, TestAssets.model(), context: 512, pooling: .mean, atLeast: 0.999)
      }

      @Test func `a real model's vectors are the same in a batch, and near for like texts`()
        async throws
      {
        let embedder = LocalEmbedder(
          modelPath: try TestAssets.model(), options: .init(pooling: .mean, threads: 1))
        let texts = [
          "The cat sits on the mat.", "A cat is sitting on a mat.",
          "Interest rates were raised by the central bank.",
        ]
        let together = try await embedder.embed(texts)
        #expect(together.dimension == 576)
        for (index, text) in texts.enumerated() {
          let alone = try await embedder.embed([text])
          #expect(alone.vectors[0].cosine(to: together.vectors[index]) > 0.9999)
        }
        #expect(together.similarity(0, 1) > together.similarity(0, 2))
        #expect(together.similarity(0, 1) > together.similarity(1, 2))
        await embedder.close()
      }
    }
  }
#endif
