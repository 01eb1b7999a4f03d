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
          var unloads = 0
          for _ in 0..<20 {
            async let unload: Bool = Self.unloads(executor)
            let answer = try await executor.collect(request("hi", maxTokens: 1))
            #expect(answer.completion?.finishReason == .length)
            if await unload { unloads += 1 }
          }
          #expect(unloads > 0)
          #expect(loads.withLock { $0.allSatisfy { $0 == 0 } }, "\(loads.withLock { $0 })")
          try await executor.unload()
          #expect(Self.maps(of: path) == 0)
        }
      }

      /// - Returns: false where a request was in its way.
      static func unloads(_ executor: LocalExecutor) async -> Bool {
        do throws(HybridError) {
          try await executor.unload()
          return true
        } catch {
          #expect(error.code == .localBusy)
          return false
        }
      }

      @Test func `an unload stops a load, and leaves no failure behind`() async throws {
        let executor = try executor()
        for _ in 0..<5 {
          let gate = LoadGate()
          let load = await gate.begin(executor)
          gate.open()
          try await executor.unload()
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
