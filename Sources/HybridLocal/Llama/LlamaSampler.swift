#if LocalLlama
  private import CHybridLlama
  package import HybridCore

  /// A chain of samplers that turns logits into the next token. Belongs to one generation.
  @safe package struct LlamaSampler: ~Copyable {
    // llama.h: the chain "takes ownership" of the samplers in it, so this one free frees them all.
    private let handle: OpaquePointer

    /// - Throws: `decodeFailed` where there is no memory for it.
    package init(_ settings: SamplerSettings) throws(HybridError) {
      let created =
        switch settings {
        case .greedy: unsafe hybrid_llama_sampler_greedy()
        case .random(let random):
          unsafe hybrid_llama_sampler_random(
            random.topK, random.topP, random.minP, random.temperature, random.seed)
        }
      guard let created = unsafe created else {
        throw HybridError(
          .decodeFailed, "llama.cpp could not make a sampler",
          nextStep: "Free memory and ask again", side: .local)
      }
      unsafe handle = created
    }

    deinit {
      unsafe hybrid_llama_sampler_free(handle)
    }

    borrowing func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result {
      unsafe body(handle)
    }
  }
#endif
