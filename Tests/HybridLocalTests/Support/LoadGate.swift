#if LocalLlama
  import Dispatch
  import HybridLocal

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
      let (fractions, heard) = AsyncStream.makeStream(of: Double.self)
      let load = Task { [executor, gate] in
        try await executor.load { loaded in
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
  }
#endif
