#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct AutoTuneTests {
      /// With a cache folder of its own, on a machine whose idle times are not told: what else runs
      /// beside the tests is no neighbour then.
      private func withExecutors(
        _ body: (
          _ make: (LocalExecutor.AutoTune, _ threads: Int?, _ tree: MachineTree) throws ->
            LocalExecutor, _ store: TuneStore
        ) async throws -> Void
      ) async throws {
        let cache = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID())")
        defer { try? FileManager.default.removeItem(at: cache) }
        try await body(
          { mode, threads, tree in
            LocalExecutor(
              modelPath: try TestAssets.model(),
              options: .init(
                contextLength: 256, parallelRequests: 1, threads: threads, autoTune: mode),
              time: SystemTimeSource(), machine: tree.machine,
              environment: ["XDG_CACHE_HOME": cache.path()])
          }, TuneStore(path: cache.appending(path: "hybridkit/threads.json").path()))
      }

      @Test func `a load measures once and later loads know`() async throws {
        try await withExecutors { make, store in
          let tree = MachineTree(cores: 2)
          let first = try make(.measured, nil, tree)
          #expect(first.tuning == nil)
          #expect(try await first.outlook().measures)
          let answer = try await first.collect(RealModel.request("Hi", maxTokens: 4))
          let measured = try #require(first.tuning)
          #expect(measured.origin == .measured)
          #expect(measured.warning == nil)
          let counts = try #require(measured.threads)
          #expect((1...2).contains(counts.decode) && (1...2).contains(counts.prefill))
          // They are ceilings.
          let used = try #require(answer.completion?.threads)
          #expect(used.decode <= counts.decode && used.prefill <= counts.prefill)
          await first.close()
          #expect(store.state == .readable(entries: 1))

          for mode in [LocalExecutor.AutoTune.measured, .remembered] {
            let later = try make(mode, nil, tree)
            let outlook = try await later.outlook()
            #expect(!outlook.measures)
            #expect(outlook.threads.decode == ThreadCount(counts.decode, .tuned))
            try await later.load()
            #expect(later.tuning == AutoTuneResult(threads: counts, origin: .remembered))
            await later.close()
          }
        }
      }

      @Test func `nothing is measured where nobody asks or a count is set`() async throws {
        try await withExecutors { make, store in
          for (mode, threads) in [
            (LocalExecutor.AutoTune.off, nil), (.remembered, nil), (.measured, 1),
          ] as [(LocalExecutor.AutoTune, Int?)] {
            let executor = try make(mode, threads, MachineTree(cores: 2))
            try await executor.load()
            #expect(executor.tuning == (mode == .off ? nil : AutoTuneResult()))
            await executor.close()
          }
          #expect(store.state == .absent)
        }
      }

      @Test func `a request that is cancelled while threads are measured ends`() async throws {
        try await withExecutors { make, _ in
          let executor = try make(.measured, nil, MachineTree(cores: 2))
          // The weights are there, and the measurement comes next.
          let gate = LoadGate()
          let load = await gate.begin(executor, holdingAt: 0.99)
          let asking = Task { [executor] in
            try await executor.collect(RealModel.request("Hi", maxTokens: 4))
          }
          while await executor.status().queue.depth == 0 { await Task.yield() }
          asking.cancel()
          await #expect(throws: HybridError.self) { _ = try await asking.value }
          #expect(executor.tuning == nil)
          gate.open()
          await executor.close()
          _ = await load.result
        }
      }

      @Test func `closing stops a measurement`() async throws {
        try await withExecutors { make, store in
          let executor = try make(.measured, nil, MachineTree(cores: 2))
          let gate = LoadGate()
          let load = await gate.begin(executor, holdingAt: 0.99)
          try await gate.open(after: { await executor.close() }, executor)
          let error = await #expect(throws: HybridError.self) { try await load.value }
          #expect(error?.code == .engineLost)
          #expect(executor.tuning == nil)
          #expect(store.state == .absent)
        }
      }
    }
  }
#endif
