#if LocalLlama
  import Foundation
  import HybridCore
  import HybridTesting
  import Testing

  @testable import HybridLocal

  /// What a lifecycle knows of an engine that ended without saying why.
  @Suite(.timeLimit(.minutes(10))) struct EngineEndTests {
    struct Facts: ModelFileFacts {
      let identity: ModelFileIdentity
      var retry: Moment? { nil }
    }

    /// Reports what the test wants.
    final class Engine: ModelEngine {
      typealias Facts = EngineEndTests.Facts
      typealias Options = Int
      typealias Loaded = Int
      static let owner = "test's engine"
      let ended = OneShot<Void>()
      private let report: @Sendable (Engine, EngineReport<Int>) -> Void

      init(
        options: Int, time: any TimeSource,
        report: @escaping @Sendable (Engine, EngineReport<Int>) -> Void
      ) throws(HybridError) {
        self.report = report
      }

      var idleSince: Moment? { .origin }
      func shutDown(_ error: HybridError) {}
      func shutDownIfIdle(_ error: HybridError) -> Int { 0 }
      func tell(_ news: EngineReport<Int>) { report(self, news) }
    }

    @Test func `no phase holds an engine that has ended, and nobody waits to unload it`()
      async throws
    {
      let clock = ManualClock()
      let lifecycle = Lifecycle<Engine>(time: clock, unloadsAfter: .seconds(10))
      let facts = Facts(identity: try ModelFileIdentity(path: CommandLine.arguments[0]))
      func engine() throws -> Engine {
        guard case .done(let engine) = try lifecycle.use(facts, options: 1, { $0 }) else {
          throw HybridError(.internal, "no engine")
        }
        return engine
      }
      let first = try engine()
      first.tell(.loaded(1))
      await clock.sleepers(atLeast: 1)
      first.tell(.ended)
      #expect(lifecycle.phase.engine == nil)
      #expect(lifecycle.former == nil)
      while clock.sleeperCount > 0 { await Task.yield() }
      // Not told to wait for the one that has gone.
      let second = try engine()
      #expect(second !== first)
      second.tell(.loaded(1))
      await clock.sleepers(atLeast: 1)
      #expect(lifecycle.phase.engine === second)
    }
  }
#endif
