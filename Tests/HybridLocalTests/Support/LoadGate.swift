#if LocalLlama
  import Dispatch

  @testable import HybridLocal

  /// Holds up the thread that loads a model, between two of its steps.
  struct LoadGate: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    /// Begins to load.
    ///
    /// - Parameter fraction: held up once so much is loaded; 0.99: all weights.
    /// - Returns: the load, once it is held up.
    func begin(
      _ executor: LocalExecutor, holdingAt fraction: Double = 0
    ) async -> Task<Void, any Error> {
      await begin(holdingAt: fraction) { try await executor.load(progress: $0) }
    }

    /// The same of an embedder, held up at once.
    func begin(_ embedder: LocalEmbedder) async -> Task<Void, any Error> {
      await begin(holdingAt: 0) { try await embedder.load(progress: $0) }
    }

    private func begin(
      holdingAt fraction: Double,
      _ load: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Void
    ) async -> Task<Void, any Error> {
      let (fractions, heard) = AsyncStream.makeStream(of: Double.self)
      let load = Task { [gate] in
        try await load { loaded in
          heard.yield(loaded)
          if loaded >= fraction {
            gate.wait()
            gate.signal()
          }
        }
      }
      for await loaded in fractions where loaded >= fraction { break }
      return load
    }

    /// Lets it go on, and holds it up no more.
    func open() { gate.signal() }

    /// Ends the executor's use of the model while its load is held up, and lets it go on only then.
    ///
    /// - Parameter end: unloads or closes. The status would wait for the load to be gone.
    func open(
      after end: @escaping @Sendable () async throws -> Void, _ executor: LocalExecutor
    ) async throws {
      let ending = Task { try await end() }
      while case .loading = executor.lifecycle.phase { await Task.yield() }
      open()
      try await ending.value
    }
  }
#endif
