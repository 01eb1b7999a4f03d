#if LocalLlama
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    struct LoadTests {
      typealias Heard = LoadProgressTests.Heard

      @Test func `two loads at once are one, and both are told how far it is`() async throws {
        let executor = try executor()
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

        // It is there already.
        let late = Heard()
        try await executor.load(progress: late.hear)
        #expect(late.all == [1])
        #expect(await executor.status().loadFraction == nil)
        await executor.close()
      }

      @Test func `a load that is stopped ends without a last fraction`() async throws {
        let executor = try executor()
        let heard = Heard()
        let load = Task { try await executor.load(progress: heard.hear) }
        while await executor.status().state == .notLoaded { await Task.yield() }
        await executor.close()
        let result = await load.result
        // The load may have ended just before.
        if case .failure(let error) = result {
          #expect((error as? HybridError)?.code == .engineLost)
          #expect(heard.all.last != 1)
        }
      }

      @Test func `the status tells how much is loaded while it is`() async throws {
        let executor = try executor()
        let load = Task { try await executor.load() }
        var fractions: [Double] = []
        while true {
          let status = await executor.status()
          if status.state == .ready { break }
          if case .loading = status.state {
            fractions.append(try #require(status.loadFraction))
          } else {
            #expect(status.loadFraction == nil)
          }
          await Task.yield()
        }
        try await load.value
        #expect(!fractions.isEmpty)
        #expect(fractions == fractions.sorted())
        await executor.close()
      }
    }
  }
#endif
