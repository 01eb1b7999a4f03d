#if LocalLlama
  public import HybridCore

  extension LocalExecutor {
    /// The present state. Loads nothing; reads the file's header the first time, and then `/proc` for
    /// memory while no model is loaded (about 0.2 ms).
    ///
    /// - Parameter model: is not looked at: there is one.
    public func status(model: String?) async -> LocalStatus {
      func status(
        _ state: LocalStatus.State, contextLength: Int? = nil, memory: MemoryNeed? = nil,
        queue: QueueStatus? = nil, loadFraction: Double? = nil
      ) -> LocalStatus {
        LocalStatus(
          model: modelInfo, state: state, contextLength: contextLength, memory: memory,
          queue: queue ?? QueueStatus(capacity: options.queueCapacity), features: Self.features,
          loadFraction: loadFraction)
      }

      switch lifecycle.phase {
      case .closed: return status(.failed(ModelFailure(Lifecycle<Engine>.closed, until: nil)))
      case .ready(let engine, _, let loaded):
        return status(.ready, contextLength: loaded.contextLength, queue: engine.queueStatus)
      case .loading(let engine, _):
        return status(
          .loading(remaining: engine.remainingLoad),
          contextLength: engine.options.contextLength, queue: engine.queueStatus,
          loadFraction: engine.loading.fraction)
      case .failed, .unloaded: break
      }

      do throws(HybridError) {
        let facts = try await facts()
        let prospect = try await prospect(for: facts)
        let plan = prospect.plan
        if let failure = lifecycle.failure(of: facts.identity) {
          return status(
            .failed(failure), contextLength: plan.contextLength, memory: plan.memoryNeed)
        }
        // While others leave it no room, it takes no request: its line is as good as full.
        let capacity = options.queueCapacity
        let queue =
          prospect.inTheWay.isEmpty
          ? nil : QueueStatus(depth: capacity, capacity: capacity)
        return status(
          .notLoaded, contextLength: plan.contextLength, memory: plan.memoryNeed, queue: queue)
      } catch {
        return status(
          error.code == .modelNotFound
            ? .missing
            : .failed(ModelFailure(error, until: lifecycle.retry(after: error))))
      }
    }

    /// Counts with the model's own template and tokenizer. Reads the vocabulary the first time, never
    /// the weights; then about 1 ms for 1,500 tokens.
    public func measure(_ request: ChatRequest) async -> PromptMeasurement {
      do throws(HybridError) {
        let facts = try await facts()
        return .counted(try await prompt(of: request, by: facts).tokens.count)
      } catch  where error.code == .templateRejected {
        var details = error.details
        details["nextStep"] = .optional(error.nextStep)
        return .templateRejected(message: error.message, details: details)
      } catch {
        return .unavailable(ModelFailure(error, until: lifecycle.retry(after: error)))
      }
    }

    var modelInfo: LocalModelInfo {
      LocalModelInfo(name: ModelName.stem(ofPath: modelPath), path: modelPath)
    }
  }
#endif
