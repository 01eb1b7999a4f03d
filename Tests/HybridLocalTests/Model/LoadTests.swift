#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct LoadTests {
      typealias Heard = LoadProgressTests.Heard

      @Test func `two loads at once are one, and both are told how far it is`() async throws {
        try await RealModel.withCopy { path in
          let executor = try executor(path: path)
          let (first, second) = (Heard(), Heard())
          async let one: Void = executor.load(progress: first.hear)
          async let other: Void = executor.load(progress: second.hear)
          _ = try await (one, other)
          for heard in [first.all, second.all] {
            #expect(heard.last == 1)
            #expect(heard.allSatisfy { (0...1).contains($0) })
            #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 }, "\(heard)")
          }
          #expect(max(first.all.count, second.all.count) > 10)
          let maps = UnloadTests.maps(of: path)

          // It is there already.
          let late = Heard()
          try await executor.load(progress: late.hear)
          #expect(late.all == [1])
          #expect(await executor.status().loadFraction == nil)

          // In memory as often as after one load, and after the end not at all.
          try await executor.unload()
          try await executor.load()
          #expect(maps > 0 && maps == UnloadTests.maps(of: path))
          await executor.close()
          #expect(UnloadTests.maps(of: path) == 0)
        }
      }

      @Test func `a load that is stopped ends without a last fraction`() async throws {
        let executor = try executor()
        let gate = LoadGate()
        let heard = Heard()
        let load = await gate.begin(executor)
        let other = Task { try await executor.load(progress: heard.hear) }
        try await gate.open(after: { await executor.close() }, executor)
        let error = await #expect(throws: HybridError.self) { try await load.value }
        #expect(error?.code == .engineLost)
        await #expect(throws: HybridError.self) { try await other.value }
        #expect(heard.all.last != 1)
      }

      @Test func `the status tells how much is loaded while it is`() async throws {
        let executor = try executor()
        #expect(await executor.status().loadFraction == nil)
        let gate = LoadGate()
        let load = await gate.begin(executor, holdingAt: 0.5)
        let held = await executor.status()
        #expect((0.5..<1).contains(held.loadFraction ?? 0))
        gate.open()
        try await load.value
        let loaded = await executor.status()
        #expect(loaded.state == .ready)
        #expect(loaded.loadFraction == nil)
        await executor.close()
      }
    }
  }
#endif
