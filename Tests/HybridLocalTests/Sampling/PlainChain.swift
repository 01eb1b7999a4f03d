#if LocalLlama
  import CLlama
  import HybridLocal

  /// llama.cpp's own samplers over all candidates, as `llama_sampler_sample` goes about it: what ours
  /// is compared with.
  @safe struct PlainChain: ~Copyable {
    private let chain: UnsafeMutablePointer<llama_sampler>
    private var candidates: [llama_token_data] = []

    /// - Parameters:
    ///   - vocabularySize: the number of logits.
    ///   - prompt: told to the penalties first.
    init(_ settings: SamplerSettings, vocabularySize: Int, prompt: [Token] = []) {
      unsafe chain = llama_sampler_chain_init(llama_sampler_chain_default_params())
      let biases = settings.logitBias.map { llama_logit_bias(token: $0, bias: $1) }
      let size = Int32(vocabularySize)
      var samplers = unsafe [
        llama_sampler_init_logit_bias(size, Int32(biases.count), biases),
        llama_sampler_init_penalties(
          size, settings.penaltyWindow, settings.repetitionPenalty, settings.frequencyPenalty,
          settings.presencePenalty),
      ]
      switch settings.choice {
      case .greedy: unsafe samplers.append(llama_sampler_init_greedy())
      case .random(let random):
        unsafe samplers += [
          llama_sampler_init_top_k(random.topK), llama_sampler_init_top_p(random.topP, 1),
          llama_sampler_init_min_p(random.minP, 1), llama_sampler_init_temp(random.temperature),
          llama_sampler_init_dist(random.seed),
        ]
      }
      for index in unsafe samplers.indices {
        unsafe llama_sampler_chain_add(chain, samplers[index])
      }
      for token in prompt { unsafe llama_sampler_accept(chain, token) }
    }

    deinit {
      unsafe llama_sampler_free(chain)
    }

    /// The next token, which is accepted at once.
    mutating func next(_ logits: [Float]) -> Token {
      candidates = logits.indices.map {
        llama_token_data(id: Token($0), logit: logits[$0], p: 0)
      }
      let token = unsafe candidates.withUnsafeMutableBufferPointer { candidates in
        var array = unsafe llama_token_data_array(
          data: candidates.baseAddress, size: candidates.count, selected: -1, sorted: false)
        unsafe llama_sampler_apply(chain, &array)
        return unsafe array.data[Int(array.selected)].id
      }
      unsafe llama_sampler_accept(chain, token)
      return token
    }
  }
#endif
