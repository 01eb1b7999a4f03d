#if LocalLlama && os(Linux)
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  extension RealModel {
    /// Each in a process of its own, which the system refuses further threads, as a container near its
    /// limit of processes does.
    struct ThreadShortageTests {
      @Test func `a context that the system refuses its threads computes with one`() async {
        await #expect(processExitsWith: .success) {
          let model = try LlamaModel(path: TestAssets.model(), part: .everything)
          try ThreadShortageTests.beginShortage()
          let context = try LlamaContext(
            model: model,
            options: .init(length: 256, threads: ThreadCounts(decode: 2, prefill: 3))
          ) { false }
          #expect(context.threadCount == 1)
          #expect(ContextTests.next(after: 1000..<1032, in: context) != nil)

          // The steps tell what they computed with, and take the planned threads once there are any.
          let source = StepThreads.Source(
            machine: MachineTree(cores: 2).machine, settings: .none)
          var steps = StepThreads(source, at: .origin)
          for (seconds, isShort, count) in [
            (0, true, 1), (5, true, 1), (9, false, 1), (10, false, 2),
          ] {
            if !isShort { try ThreadShortageTests.endShortage() }
            let now = Moment.origin + .seconds(seconds)
            steps.begin(StepShape(generated: 1), on: context, at: now)
            #expect(steps.count == count, "after \(seconds) s")
            #expect(ContextTests.next(after: 1000..<1032, in: context) != nil)
            steps.end(on: context, at: now)
          }
        }
      }

      /// Lets the process start no thread until ``endShortage()``. The limit counts a user's threads,
      /// and does not bind the superuser.
      static func beginShortage() throws {
        if getuid() == 0 { try #require(setuid(65_534) == 0) }
        try limit(to: 1)
        let refused = unsafe withUnsafeTemporaryAllocation(of: pthread_t.self, capacity: 1) {
          unsafe pthread_create($0.baseAddress!, nil, { _ in nil }, nil)
        }
        try #require(refused == EAGAIN)
      }

      static func endShortage() throws {
        try limit(to: nil)
      }

      private static func limit(to count: rlim_t?) throws {
        let resource = Int32(bitPattern: __RLIMIT_NPROC.rawValue)
        var limit = rlimit()
        try #require(unsafe getrlimit(resource, &limit) == 0)
        limit.rlim_cur = count ?? limit.rlim_max
        try #require(unsafe setrlimit(resource, &limit) == 0)
      }
    }
  }
#endif
