#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Synchronization
  import Testing

  extension RealModel {
    struct UnloadTests {
      /// Maps of the file in this process's memory.
      static func maps(of path: String) -> Int {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return maps.split(separator: "\n").count { $0.hasSuffix(path) }
      }

      @Test func `an unload and a request at once never have the model in memory twice`()
        async throws
      {
        try await RealModel.withCopy { path in
          // The machine's memory is looked at before each load, when nothing may be left of the
          // model before.
          let loads = Mutex<[Int]>([])
          let machine = Machine(
            files: MachineFiles { file in
              if file == "/proc/meminfo" { loads.withLock { $0.append(Self.maps(of: path)) } }
              return Machine.current.files.read(file)
            })
          let executor = LocalExecutor(
            modelPath: path, options: .init(contextLength: 512, threads: 1),
            time: SystemTimeSource(), machine: machine, environment: [:])
          try await executor.load()
          #expect(Self.maps(of: path) > 0)
          for _ in 0..<10 {
            async let unload: Void = Self.unload(executor)
            let answer = try await executor.collect(request("hi", maxTokens: 1))
            #expect(answer.completion?.finishReason == .length)
            await unload
            // And whichever of them came first, one that nothing is in the way of.
            try await executor.unload()
          }
          #expect(loads.withLock { $0.count > 10 && $0.allSatisfy { $0 == 0 } })
          try await executor.unload()
          #expect(Self.maps(of: path) == 0)
        }
      }

      /// Unloads, unless a request is in its way.
      private static func unload(_ executor: LocalExecutor) async {
        do throws(HybridError) {
          try await executor.unload()
        } catch {
          #expect(error.code == .localBusy)
        }
      }

      @Test func `an unload stops a load, and leaves no failure behind`() async throws {
        let executor = try executor()
        for _ in 0..<5 {
          let gate = LoadGate()
          let load = await gate.begin(executor)
          try await gate.open(after: { try await executor.unload() }, executor)
          #expect(await executor.status().state == .notLoaded)
          let error = await #expect(throws: HybridError.self) { try await load.value }
          #expect(error?.code == .engineLost)
        }
        #expect(try await executor.collect(request("hi", maxTokens: 1)).completion != nil)
        await executor.close()
      }
    }
  }
#endif
