#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Synchronization
  import Testing

  /// How long a worker is waited for, and by whom.
  @Suite(.timeLimit(.minutes(10))) struct WorkerPatienceTests {
    private let clock = ManualClock()

    private func worker(_ script: [String], stallLimit: Duration = .seconds(60)) -> LocalWorker {
      LocalWorker(
        executable: ScriptedWorkerTests.program, arguments: script, modelPath: "/no/such.gguf",
        options: .init(stallLimit: stallLimit, progressLimit: .seconds(600)), time: clock)
    }

    private static let begun = ["read", "ready", "read", #"send:{"accepted":1}"#]

    private struct NeverOver: Error {}

    /// Moves on to whoever is due next, as time does; for a day at most.
    ///
    /// - Parameter sleepers: that must be asleep, so that none misses its turn.
    private func runClock(sleepers: Int = 1, until isOver: () -> Bool) async throws {
      while !isOver() {
        guard clock.now() < .origin + .seconds(86_400) else { throw NeverOver() }
        if clock.sleeperCount >= sleepers { clock.advanceToNextSleeper() }
        await Task.yield()
      }
    }

    private func state(of process: Int32) -> Character? {
      let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return text?.split(separator: ")").last?.dropFirst().first
    }

    // MARK: Stopped

    @Test func `a stopped worker is not taken for one that hangs, and answers when it goes on`()
      async throws
    {
      let worker = worker(
        Self.begun + ["stop", #"send:{"event":[1,{"text":"Hi"}]}"#, "drain"])
      let stream = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      let process = try #require(worker.processID)
      while state(of: process) != "T" { await Task.yield() }
      // Nine times its limit.
      try await runClock(until: { clock.now() > .origin + .seconds(540) })
      #expect(worker.processID == process)
      kill(process, SIGCONT)
      #expect(try await stream.first { _ in true } == .text("Hi"))
      #expect(worker.restarts == 0)
    }

    @Test func `one that stays stopped is ended all the same`() async throws {
      let worker = worker(Self.begun + ["stop", "drain"])
      let stream = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      let process = try #require(worker.processID)
      while state(of: process) != "T" { await Task.yield() }
      try await runClock(until: { worker.processID == nil })
      #expect(clock.now() >= .origin + .seconds(600))
      #expect(clock.now() < .origin + .seconds(680))
      let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
      #expect(error?.details["stallLimit"] == 60)
    }

    @Test func `a sleep of the machine ends no worker, and a deadline holds over it`() async throws
    {
      let worker = worker(Self.begun + ["read", #"send:{"failed":[1,\#(Self.failure)]}"#, "drain"])
      var request = ChatRequest(prompt: "Hi")
      request.deadline = .seconds(30)
      let stream = try await worker.start(request, in: ExecutionContext())
      let process = try #require(worker.processID)
      await clock.sleepers(atLeast: 2)
      // All that waits is due at once, and the worker could not say a word.
      clock.advance(by: .seconds(86_400))
      let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
      #expect(error?.code == .deadlineExceeded)
      // It heeds being told, and lives.
      for _ in 0..<100 { await Task.yield() }
      #expect(worker.processID == process)
      #expect(kill(process, 0) == 0)
      #expect(worker.restarts == 0)
    }

    private static let failure =
      #"{"code":"cancelled","message":"","nextStep":null,"details":{},"side":null,"gateway":null,"#
      + #""committed":false,"partialText":null,"attempts":[]}"#

    // MARK: Talkative

    @Test func `a worker that says for ever that it gets on is ended`() async throws {
      let worker = worker(Self.begun + [#"endless:"beat""#], stallLimit: .seconds(8000))
      let stream = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      try await runClock(until: { worker.processID == nil })
      let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
      #expect(error?.code == .engineLost)
      #expect(error?.details["progressLimit"] == 600)
    }

    @Test func `a load that never grows is a worker that gets on with nothing new`() async throws {
      let worker = worker(
        ["read", "ready", "read", #"endless:{"progress":[1,0.5]}"#], stallLimit: .seconds(8000))
      let told = Mutex<[Double]>([])
      let loading = Task {
        try await worker.load { fraction in told.withLock { $0.append(fraction) } }
      }
      await clock.sleepers(atLeast: 1)
      while told.withLock({ $0.isEmpty }) { await Task.yield() }
      try await runClock(until: { worker.processID == nil })
      let error = await #expect(throws: HybridError.self) { try await loading.value }
      #expect(error?.details["progressLimit"] == 600)
      #expect(told.withLock { $0 } == [0.5])
    }

    /// Tells the time and wakes nobody, as where others hold every thread that a task could run on.
    private struct NobodyWakes: TimeSource {
      let clock: ManualClock
      private let still = ManualClock()

      init(_ clock: ManualClock) {
        self.clock = clock
      }

      func now() -> Moment { clock.now() }
      func secondsSince1970() -> Double { clock.secondsSince1970() }
      func sleep(until moment: Moment) async throws(CancellationError) {
        try await still.sleep(until: .origin + .seconds(1))
      }
    }

    @Test(arguments: [false, true])
    func `a deadline holds though output goes on and no task comes to run for it`(
      hasRun: Bool
    ) async throws {
      let event = #"send:{"event":[1,{"reasoning":"a"}]}"#
      let worker = LocalWorker(
        executable: ScriptedWorkerTests.program,
        arguments: Self.begun + (hasRun ? [#"send:{"ran":[1,null]}"#] : [])
          + [event, "read", event, event, "drain"],
        modelPath: "/no/such.gguf", time: NobodyWakes(clock))
      var request = ChatRequest(prompt: "Hi")
      request.deadline = .seconds(2)
      let stream = try await worker.start(request, in: ExecutionContext())
      let events = stream.makeAsyncIterator()
      // At first it is heard; none of what it says after its time is.
      #expect(try await events.next() == .reasoning("a"))
      clock.advance(by: .seconds(3))
      // Makes it go on.
      let status = Task { await worker.status() }
      let error = await #expect(throws: HybridError.self) { try await events.next() }
      #expect(error?.code == .deadlineExceeded)
      status.cancel()
    }

    @Test func `a deadline holds though there is output to read after the worker said it had run`()
      async throws
    {
      let worker = worker(
        Self.begun + [
          #"send:{"ran":[1,null]}"#, #"send:{"event":[1,{"text":"a"}]}"#, "read",
          #"send:{"failed":[2,\#(Self.failure)]}"#, "read", "exit:7",
        ])
      var request = ChatRequest(prompt: "Hi")
      request.deadline = .seconds(2)
      let stream = try await worker.start(request, in: ExecutionContext())
      // Told after the output.
      _ = await worker.status()
      await clock.sleepers(atLeast: 2)
      clock.advance(by: .seconds(3))
      // It goes once it is told to drop the request.
      while worker.processID != nil { await Task.yield() }
      var text = ""
      let error = await #expect(throws: HybridError.self) {
        for try await case .text(let piece) in stream { text += piece }
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(text == "a")
    }

    @Test func `a cancel holds though there is output to read`() async throws {
      let worker = worker(
        Self.begun + [
          #"send:{"ran":[1,null]}"#, #"send:{"event":[1,{"text":"a"}]}"#, "read",
          #"send:{"failed":[2,\#(Self.failure)]}"#, "hang",
        ])
      let stream = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      // Told after the output.
      _ = await worker.status()
      stream.cancel()
      // Its grace twice: its reader might only be slow.
      try await runClock(sleepers: 2, until: { worker.processID == nil })
      #expect(clock.now() >= .origin + .seconds(10))
      var text = ""
      let error = await #expect(throws: HybridError.self) {
        for try await case .text(let piece) in stream { text += piece }
      }
      #expect(error?.code == .cancelled)
      #expect(text == "a")
    }

    // MARK: Closing

    @Test func `of two that close at once, none returns before the process is gone`() async throws {
      let worker = worker(Self.begun + ["hang"])
      _ = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      let process = try #require(worker.processID)
      let sleepers = clock.sleeperCount
      let closings = (0..<2).map { _ in
        Task {
          await worker.close()
          return kill(process, 0) != 0
        }
      }
      // Both wait for its grace to pass.
      await clock.sleepers(atLeast: sleepers + 2)
      clock.advance(by: .seconds(5))
      for closing in closings { #expect(await closing.value) }
    }

    @Test func `a close in a cancelled task returns when the process is gone, too`() async throws {
      let worker = worker(Self.begun + ["hang"])
      _ = try await worker.start(ChatRequest(prompt: "Hi"), in: ExecutionContext())
      let process = try #require(worker.processID)
      let closing = Task {
        while !Task.isCancelled { await Task.yield() }
        await worker.close()
        return kill(process, 0) != 0
      }
      closing.cancel()
      #expect(await closing.value)
    }
  }
#endif
