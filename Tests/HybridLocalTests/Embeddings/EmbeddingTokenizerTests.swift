#if LocalLlama
  import Dispatch
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  struct EmbeddingTokenizerTests {
    @Test func `texts have the tokens that llama.cpp gives them with what it adds`() async throws {
      var count = 0
      for path in try TestAssets.folder("testing/vocab") where path.hasSuffix(".gguf") {
        await Task.yield()
        let tokenizer = try EmbeddingTokenizer(path: path, header: GGUFHeader(path: path))
        let vocabulary = try LlamaModel(path: path, part: .vocabulary)
        let cases =
          FileManager.default.fileExists(atPath: path + ".inp")
          ? try VocabularyTests.cases(besides: path).map(\.text) : []
        for text in cases + VocabularyTests.contents where !text.isEmpty {
          let own = try tokenizer.tokens(of: text)
          let whole = try vocabulary.tokenize(Array(text.utf8).span, addsSpecial: true)
          #expect(own == whole, "\(path): \(text)")
          count += 1
        }
      }
      #expect(count > 900)
    }

    @Test func `texts that nobody waits for any more are not counted`() throws {
      let path = try TestAssets.path("testing/vocab/ggml-vocab-bert-bge.gguf")
      let tokenizer = try EmbeddingTokenizer(path: path, header: GGUFHeader(path: path))
      let texts = ["a cat", "a dog", "a fox"]
      let all = try tokenizer.tokens(of: texts) { false }
      #expect(all == (try texts.map { try tokenizer.tokens(of: $0) }))
      var asked = 0
      let error = #expect(throws: HybridError.self) {
        try tokenizer.tokens(of: texts) {
          asked += 1
          return asked == 2
        }
      }
      #expect(error?.code == .cancelled)
      #expect(asked == 2)
    }

    @Test func `work in the background is told once nobody waits for it`() async throws {
      let queue = BackgroundQueue()
      let gate = DispatchSemaphore(value: 0)
      let (began, tells) = AsyncStream.makeStream(of: Void.self)
      let (ended, told) = AsyncStream.makeStream(of: [Bool].self)
      let work = Task {
        try await queue.run { isUnwanted throws(HybridError) in
          let before = isUnwanted.isRaised
          tells.yield()
          gate.wait()
          told.yield([before, isUnwanted.isRaised])
        }
      }
      for await _ in began { break }
      work.cancel()
      await #expect(throws: HybridError.self) { try await work.value }
      gate.signal()
      for await flags in ended {
        #expect(flags == [false, true])
        break
      }
    }

    static let added: [(file: String, beginning: Int, ending: Int)] = [
      ("bert-bge", 1, 1), ("nomic-bert-moe", 1, 1), ("llama-spm", 1, 0), ("gpt-2", 0, 0),
    ]

    @Test(arguments: added.indices)
    func `what stands around a text is the vocabulary's`(index: Int) throws {
      let (file, beginning, ending) = Self.added[index]
      let path = try TestAssets.path("testing/vocab/ggml-vocab-\(file).gguf")
      let tokenizer = try EmbeddingTokenizer(path: path, header: GGUFHeader(path: path))
      #expect(tokenizer.beginning.count == beginning)
      #expect(tokenizer.ending.count == ending)
    }

    @Test func `no text becomes a control token, and what has no token becomes the unknown one`()
      throws
    {
      for file in ["bert-bge", "nomic-bert-moe", "qwen2", "phi-3", "gemma-4", "llama-spm"] {
        let path = try TestAssets.path("testing/vocab/ggml-vocab-\(file).gguf")
        let header = try GGUFHeader(path: path)
        let tokenizer = try EmbeddingTokenizer(path: path, header: header)
        let vocabulary = try LlamaModel(path: path, part: .vocabulary)
        for id in 0..<Token(vocabulary.tokenCount)
        where vocabulary.attributes(of: id).contains(.control) {
          let text = vocabulary.text(of: id)
          if text.isEmpty { continue }
          for text in [text, "a \(text) b"] {
            let inner = try tokenizer.tokens(of: text)
              .dropFirst(tokenizer.beginning.count).dropLast(tokenizer.ending.count)
            let control = inner.filter {
              vocabulary.attributes(of: $0).contains(.control)
                && Int($0) != header.vocabulary.unknown
            }
            #expect(control.isEmpty, "\(file): \(text)")
          }
        }
      }
      let path = try TestAssets.path("testing/vocab/ggml-vocab-bert-bge.gguf")
      let tokenizer = try EmbeddingTokenizer(path: path, header: GGUFHeader(path: path))
      #expect(try tokenizer.tokens(of: "🦊") == [101, 100, 102])
    }

    @Test func `a user-defined token that the chat template writes stays text`() throws {
      let path = try TestAssets.path("testing/vocab/ggml-vocab-command-r.gguf")
      let mark = "<|START_OF_TURN_TOKEN|>"
      let plain = try Tokenizer(path: path, template: "").tokenize(mark)
      let cut = try Tokenizer(path: path, template: mark).tokenize(untrusted: mark)
      #expect(plain.count == 1)
      #expect(cut.count > 1)
    }
  }
#endif
