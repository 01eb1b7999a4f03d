#if LocalLlama
  public import HybridCore
  internal import Synchronization

  extension LocalWorker {
    /// The present state, as the worker tells it. Loads no model, and starts the worker where there is
    /// none. While a failed one is not to be tried again, says so at once.
    ///
    /// - Parameter model: is not looked at: there is one.
    public func status(model: String?) async -> LocalStatus {
      do throws(HybridError) {
        guard case .status(_, var status) = try await ask(.status, { .status($0) }) else {
          throw WorkerFault.closedError
        }
        status.model = modelInfo
        return status
      } catch {
        return LocalStatus(
          model: modelInfo, state: .failed(ModelFailure(error, until: retry)),
          contextLength: nil, queue: QueueStatus(capacity: max(0, options.model.queueCapacity)),
          features: LocalExecutor.features)
      }
    }

    /// Counts with the model's own template and tokenizer, in the worker.
    public func measure(_ request: ChatRequest) async -> PromptMeasurement {
      do throws(HybridError) {
        guard case .measured(_, let length) = try await ask(.measure, { .measure($0, request) })
        else { throw WorkerFault.closedError }
        return length
      } catch {
        return .unavailable(ModelFailure(error, until: retry))
      }
    }

    var modelInfo: LocalModelInfo {
      LocalModelInfo(name: ModelName.stem(ofPath: modelPath), path: modelPath)
    }

    /// When a failed worker may be started anew; nil where it is closed for good.
    private var retry: Moment? {
      switch state.withLock({ $0.phase }) {
      case .closed: nil
      case .down(_, let until): until
      case .idle, .up: time.now()
      }
    }

    /// Asks the worker for one answer, for as long as it gets on with anything.
    func ask(
      _ call: WorkerBook.Call, _ command: (Int) -> WorkerCommand,
      progress: LoadProgress.Listener? = nil
    ) async throws(HybridError) -> WorkerReply {
      let child = try await child()
      let (id, answer) = try child.ask(call, progress: progress, command)
      // Where the task was cancelled; else it has ended.
      defer { child.drop(id) }
      return try await answer.wait()
    }
  }
#endif
