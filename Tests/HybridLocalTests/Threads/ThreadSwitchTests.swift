#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Synchronization
  import Testing

  extension RealModel {
    struct ThreadSwitchTests {
      /// On a thread of its own name, as the engine's: the compute threads are known by it.
      private static func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
      ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
          let thread = Thread {
            continuation.resume(with: Result { try body() })
          }
          thread.name = threadName
          thread.start()
        }
      }

      private static let threadName = "switching"

      private static var threadCount: Int {
        let folder = "/proc/self/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { thread in
          (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8))
            == threadName + "\n"
        }
      }

      private static func decodes(_ context: borrowing LlamaContext) -> Bool {
        context.clearMemory()
        context.clearBatch()
        return context.addToBatch(1_000, position: 0, wantsLogits: true)
          && context.decode() == .done
      }

      @Test func `the count changes between two decodes and old threads go`() async throws {
        let (isDone, most) = try await Self.onOwnThread {
          let context = try ContextTests.context()
          var isDone = true
          var most = 0
          for count in [1, 2, 3, 2, 1, 4, 5, 6, 5, 1, 2, 6, 1] {
            isDone = isDone && context.setThreads(count)
            // More threads than cores would take seconds for a step.
            if count <= 2 { isDone = isDone && Self.decodes(context) }
            most = max(most, Self.threadCount)
          }
          return (isDone, most)
        }
        #expect(isDone)
        // This one, and at most three pools: of 4, 5 and 6.
        #expect(most <= 1 + 3 + 4 + 5)
      }

      @Test func `a count that is none is refused and changes nothing`() async throws {
        let refused = try await Self.onOwnThread {
          let context = try ContextTests.context()
          let refused = [0, -1, 513, Int.max].map { context.setThreads($0) }
          return refused + [!Self.decodes(context)]
        }
        #expect(refused == [false, false, false, false, false])
      }

      #if os(Linux)
        @Test func `the compute threads' time is counted`() async throws {
          let shares = try await Self.onOwnThread {
            let context = try ContextTests.context()
            let time = SystemTimeSource()
            var shares: [Double] = []
            for count in 1...2 {
              _ = context.setThreads(count)
              let (start, before) = (time.now(), context.computeTime ?? .seconds(-1_000))
              for _ in 0..<2 { _ = Self.decodes(context) }
              let computed = (context.computeTime ?? .seconds(-2_000)) - before
              shares.append(computed.inSeconds / (time.now() - start).inSeconds)
            }
            return shares
          }
          for (count, share) in zip(1..., shares) {
            #expect(share > 0 && share < Double(count) + 0.1, "\(count) threads: \(share)")
          }
        }
      #endif

      /// Tells no idle times, so that what else runs beside the tests is no neighbour.
      private let machine = MachineTree(cores: 2).machine

      @Test func `tuning yields counts around the guess`() async throws {
        let outcome = try await Self.onOwnThread {
          try ThreadTuner.run(
            try ContextTests.context(), guess: ThreadCounts(decode: 2, prefill: 1),
            machine: machine, budget: machine.cpuBudget(), time: SystemTimeSource())
        }
        guard case .counts(let found) = outcome else {
          Issue.record("\(outcome)")
          return
        }
        #expect((1...2).contains(found.decode))
        #expect((1...2).contains(found.prefill))
      }

      @Test func `tuning that is cancelled yields nothing`() async throws {
        let outcome = try await Self.onOwnThread {
          try ThreadTuner.run(
            try ContextTests.context(), guess: ThreadCounts(decode: 2, prefill: 2),
            machine: machine, budget: machine.cpuBudget(), time: SystemTimeSource(),
            isCancelled: { true })
        }
        #expect(outcome == .cancelled)
      }

      @Test func `a decode that is aborted stops the tuning and leaves an empty memory`()
        async throws
      {
        let (outcome, works) = try await Self.onOwnThread {
          let abort = AbortFlag()
          let context = try ContextTests.context(abort)
          // The first question is asked before anything is computed.
          let outcome = try ThreadTuner.run(
            context, guess: ThreadCounts(decode: 2, prefill: 2), machine: machine,
            budget: machine.cpuBudget(), time: SystemTimeSource(),
            isCancelled: {
              abort.raise()
              return false
            })
          abort.lower()
          return (outcome, Self.decodes(context))
        }
        #expect(outcome == .cancelled)
        #expect(works)
      }

      @Test func `the CPUs whose idle times are read are those of the moment`() async throws {
        let allowed = Mutex("0-1\n")
        let files = MachineTree(cores: 4).files
        let changing = Machine(
          files: MachineFiles { path in
            path == "/proc/thread-self/status"
              ? "Cpus_allowed_list:\t" + allowed.withLock { $0 } : files[path]
          })
        let seen = try await Self.onOwnThread {
          let context = try ContextTests.context()
          var threads = StepThreads(
            StepThreads.Source(machine: changing, settings: .none), at: .origin)
          var seen = [threads.meter.cpus]
          // As many as before: the counts stay.
          allowed.withLock { $0 = "2-3\n" }
          for seconds in [4, 5] {
            threads.begin(StepShape(generated: 1), on: context, at: .origin + .seconds(seconds))
            seen.append(threads.meter.cpus)
          }
          return seen
        }
        #expect(seen == [CPUList([0, 1]), CPUList([0, 1]), CPUList([2, 3])])
      }

      @Test func `a step takes as many threads as the quota of the moment allows`() async throws {
        let quota = Mutex("200000 100000\n")
        let files = MachineTree(cores: 2).files
        let changing = Machine(
          files: MachineFiles { path in
            path == "/sys/fs/cgroup/cpu.max" ? quota.withLock { $0 } : files[path]
          })
        let counts = try await Self.onOwnThread {
          let context = try ContextTests.context()
          var threads = StepThreads(
            StepThreads.Source(machine: changing, settings: .none), at: .origin)
          var counts: [Int] = []
          for (text, seconds) in [
            ("200000 100000", 0), ("100000 100000", 4), ("100000 100000", 6),
            ("50000 100000", 12), ("max 100000", 18),
          ] {
            quota.withLock { $0 = text + "\n" }
            threads.begin(StepShape(generated: 1), on: context, at: .origin + .seconds(seconds))
            counts.append(threads.count)
            threads.end(on: context, at: .origin + .seconds(seconds))
          }
          return counts
        }
        // It is read anew every five seconds. The step that ends at once is no sample.
        #expect(counts == [2, 2, 1, 1, 2])
      }
    }
  }
#endif
