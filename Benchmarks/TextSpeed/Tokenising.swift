#if LocalLlama
  import CLlama
  import HybridCore
  import HybridLocal
  import Measuring

  /// A message of 1 MB as a prompt's content, against llama.cpp's own function over the same bytes.
  struct Tokenising {
    static let bytes = 1_000_000
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() throws {
      let tokenizer = try Tokenizer(path: options.model, template: "<|im_start|>\n<|im_end|>")
      let bare = try BareTokenizer(path: options.model)
      var source = LongText(seed: 2)
      let text = source.next(bytes: Self.bytes)
      let prompt = RenderedPrompt(pieces: [
        .init(text: "<|im_start|>user\n", origin: .template), .init(text: text, origin: .content),
        .init(text: "<|im_end|>\n<|im_start|>assistant\n", origin: .template),
      ])
      let whole = Array(prompt.text.utf8)
      let expected = bare.tokenize(whole)
      guard try tokenizer.tokenize(prompt) == expected else {
        throw UsageError("the tokens are not llama.cpp's")
      }
      var own: [Double] = []
      var ratios: [Double] = []
      for round in 0..<options.rounds {
        let seconds: (own: Double, bare: Double)
        if round % 2 == 0 {
          seconds.own = try Self.seconds { _ = try tokenizer.tokenize(prompt) }
          seconds.bare = Self.seconds { _ = bare.tokenize(whole) }
        } else {
          seconds.bare = Self.seconds { _ = bare.tokenize(whole) }
          seconds.own = try Self.seconds { _ = try tokenizer.tokenize(prompt) }
        }
        own.append(seconds.own)
        ratios.append(seconds.own / seconds.bare)
      }
      print(
        "tokenise: \(expected.count) tokens in \(number(Quantiles(own).median * 1e3, 0)) ms")
      print(
        "tokenise: CPU time as a ratio to llama_tokenize's   \(Quantiles(ratios).quartiles())   (aim: 1.05 or less)"
      )
    }

    private static func seconds<Failure>(_ work: () throws(Failure) -> Void) throws(Failure)
      -> Double
    {
      let start = threadCPUTime()
      try work()
      return threadCPUTime() - start
    }
  }

  /// `llama_tokenize` and nothing else.
  @safe private struct BareTokenizer: ~Copyable {
    private let model: OpaquePointer

    init(path: String) throws {
      try LlamaLibrary.start()
      var parameters = unsafe llama_model_default_params()
      unsafe parameters.vocab_only = true
      guard let model = unsafe llama_model_load_from_file(path, parameters) else {
        throw UsageError("no vocabulary in \(path)")
      }
      unsafe self.model = model
    }

    deinit {
      unsafe llama_model_free(model)
    }

    func tokenize(_ text: [UInt8]) -> [Token] {
      let capacity = text.count + 16
      return unsafe [Token](unsafeUninitializedCapacity: capacity) { tokens, count in
        count = unsafe text.withUnsafeBytes { bytes in
          Int(
            unsafe llama_tokenize(
              llama_model_get_vocab(model),
              bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(text.count),
              tokens.baseAddress, Int32(capacity), false, true))
        }
      }
    }
  }
#endif
