#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Synchronization

  /// The other end: what starts honest workers, each this very program.
  struct Parent {
    /// Stands still but for what ``advance(by:)`` adds; nobody who sleeps on it wakes.
    private final class Clock: TimeSource {
      private let present = Mutex(Moment.origin)

      func now() -> Moment { present.withLock { $0 } }

      func secondsSince1970() -> Double { 0 }

      func advance(by time: Duration) { present.withLock { $0 = $0 + time } }

      func sleep(until moment: Moment) async throws(CancellationError) {
        let (silence, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in silence {}
        throw CancellationError()
      }
    }

    private let clock = Clock()

    private func worker() -> LocalWorker {
      LocalWorker(arguments: ["serve"], modelPath: "/no/such.gguf", time: clock)
    }

    func startOne() async {
      let worker = worker()
      _ = await worker.status()
      print(worker.processID ?? 0)
      fflush(nil)
      while true { pause() }
    }

    func crash(_ count: Int) async {
      let worker = worker()
      await crash(worker)
      // Whatever the first one makes for good is there by now.
      let before = Counts.settled(nil)
      for _ in 0..<count {
        clock.advance(by: .seconds(60))
        await crash(worker)
      }
      let after = Counts.settled(before)
      print(
        "\(worker.restarts) restarts left \(after.descriptors - before.descriptors) descriptors, "
          + "\(max(0, after.threads - before.threads)) threads, \(after.children) children")
    }

    private func crash(_ worker: LocalWorker) async {
      _ = await worker.status()
      if let process = worker.processID { kill(process, SIGKILL) }
      // Told with the end of the process.
      while worker.processID != nil { _ = await worker.status() }
    }
  }

  /// What this process holds, as the kernel counts it.
  private struct Counts {
    let descriptors: Int
    /// Those that read from workers: each ends a moment after it has told so.
    let threads: Int
    let children: Int

    init() {
      func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      }
      descriptors = names("/proc/self/fd").count
      threads = names("/proc/self/task").count
      children = names("/proc/self/task").reduce(0) { sum, thread in
        let text = try? String(
          contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
        return sum + (text ?? "").split(separator: " ").count
      }
    }

    /// Once there are no more of them than before, or after 5 s.
    static func settled(_ before: Counts?) -> Counts {
      let latest = ContinuousClock.now + .seconds(before == nil ? 1 : 5)
      while true {
        let counts = Counts()
        if let before, counts.descriptors <= before.descriptors, counts.threads <= before.threads,
          counts.children == 0
        {
          return counts
        }
        if ContinuousClock.now > latest { return counts }
        sched_yield()
      }
    }
  }
#endif
