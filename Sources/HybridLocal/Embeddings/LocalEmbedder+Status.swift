#if LocalLlama
  public import HybridCore

  extension LocalEmbedder {
    /// The present state. Loads nothing; reads the file's header the first time, and then `/proc` for
    /// memory while no model is loaded (about 0.2 ms).
    ///
    /// Its context length is what one text may have, and it tells of no features.
    public func status() async -> LocalStatus {
      func status(
        _ state: LocalStatus.State, contextLength: Int? = nil, memory: MemoryNeed? = nil,
        queue: QueueStatus? = nil, loadFraction: Double? = nil
      ) -> LocalStatus {
        LocalStatus(
          model: modelInfo, state: state, contextLength: contextLength, memory: memory,
          queue: queue ?? QueueStatus(capacity: options.queueCapacity), loadFraction: loadFraction)
      }

      switch lifecycle.phase {
      case .closed:
        return status(.failed(ModelFailure(Lifecycle<EmbeddingEngine>.closed, until: nil)))
      case .ready(let engine, _, _):
        return status(
          .ready, contextLength: engine.options.contextLength, queue: engine.queueStatus)
      case .loading(let engine, _):
        return status(
          .loading(remaining: engine.remainingLoad),
          contextLength: engine.options.contextLength, queue: engine.queueStatus,
          loadFraction: engine.loading.fraction)
      case .failed, .unloaded: break
      }

      do throws(HybridError) {
        try options.validate()
        let facts = try await facts()
        let plan = try await plan(for: facts)
        let failure = lifecycle.failure(of: facts.identity)
        return status(
          failure.map { .failed($0) } ?? .notLoaded, contextLength: plan.contextLength,
          memory: plan.memoryNeed)
      } catch {
        return status(
          error.code == .modelNotFound
            ? .missing : .failed(ModelFailure(error, until: lifecycle.retry(after: error))))
      }
    }
  }
#endif
