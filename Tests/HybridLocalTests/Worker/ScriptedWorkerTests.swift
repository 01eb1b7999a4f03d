#if LocalLlama
  import Foundation
  import HybridCore
  import HybridTesting
  import Synchronization
  import Testing

  @testable import HybridLocal

  /// Workers that crash, hang and lie, each a real process that does what its arguments say.
  @Suite struct ScriptedWorkerTests {
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "ScriptedWorker").path()

    private let clock = ManualClock()

    private func worker(_ script: String..., grace: Duration = .seconds(5)) -> LocalWorker {
      LocalWorker(
        executable: Self.program, arguments: script, modelPath: "/no/such.gguf",
        options: .init(grace: grace), time: clock)
    }

    private func start(
      _ worker: LocalWorker, deadline: Duration? = nil, ends: EndLog = EndLog()
    ) async throws(HybridError) -> ExecutorStream {
      var request = ChatRequest(prompt: "Hi")
      request.deadline = deadline
      return try await worker.start(
        request, in: ExecutionContext(onAttempt: { ends.add($0.failure) }))
    }

    private func failure(
      of worker: LocalWorker, deadline: Duration? = nil, ends: EndLog = EndLog()
    ) async throws -> HybridError {
      try #require(
        await #expect(throws: HybridError.self) {
          _ = try await start(worker, deadline: deadline, ends: ends)
        })
    }

    private static let isGone: @Sendable (Int32) -> Bool = { kill($0, 0) != 0 }

    @Test(
      arguments: [
        (["abort"], "signal", "SIGABRT"), (["read", "exit:3"], "status", 3),
        (["read", "ready", "read", "abort"], "signal", "SIGABRT"),
        (["read", "ready", "read", "send:{\"accepted\":1}", "exit:0"], "status", 0),
      ] as [([String], String, JSONValue)])
    func `a crash is a typed error that says how`(
      script: [String], key: String, value: JSONValue
    ) async throws {
      let worker = LocalWorker(
        executable: Self.program, arguments: script, modelPath: "/no/such.gguf", time: clock)
      let ends = EndLog()
      var error: HybridError?
      do throws(HybridError) {
        for try await _ in try await start(worker, ends: ends) {}
      } catch let failure {
        error = failure
      }
      #expect(error?.code == .engineLost)
      #expect(error?.details[key] == value)
      #expect(error?.details["restarts"] == 0)
      #expect(error?.committed == false)
      #expect(ends.codes == [.engineLost])
    }

    @Test func `a list of processes tells which model a worker has, and no folder`() {
      #expect(
        LocalWorker(modelPath: "/home/u/Small.Q4_1.gguf").program.arguments
          == ["worker", "Small.Q4_1"])
      #expect(worker("read").program.arguments == ["read"])
    }

    @Test func `what it says at last goes into the error, bounded and harmless`() async throws {
      let error = try await failure(
        of: worker(
          "read", "ready", "read", "many:1000000", "words:\u{1B}[31mGGML_ASSERT(n > 0) failed\n",
          "abort"))
      let words = try #require(error.details["stderr"]?.string, "\(error) \(error.details)")
      #expect(words.hasSuffix("x\u{FFFD}[31mGGML_ASSERT(n > 0) failed"))
      #expect(words.utf8.count <= WorkerWords.limit + 2)
      #expect(!error.description.contains("GGML"))
    }

    @Test
    func `a file that crashes at each load is not tried over and over, and the state says so`()
      async throws
    {
      let worker = worker("read", "ready", "read", "abort")
      for (round, wait) in [1, 2, 4, 8].enumerated() {
        #expect(try await failure(of: worker).code == .engineLost)
        #expect(worker.restarts == round)
        #expect(worker.processID == nil)
        let until = clock.now() + .seconds(wait)
        let status = await worker.status()
        #expect(status.failure?.until == until)
        #expect(status.failure?.code == .engineLost)
        #expect(status.model.name == "such")
        clock.advance(by: .seconds(wait) - .milliseconds(1))
        _ = try await failure(of: worker)
        #expect(worker.restarts == round, "tried before its time")
        clock.advance(by: .milliseconds(1))
      }
    }

    @Test func `what had come before a crash is handed out, and stands in the error`() async throws
    {
      let worker = worker(
        "read", "ready", "read", #"send:{"accepted":1}"#, #"send:{"event":[1,{"text":"Hel"}]}"#,
        #"send:{"event":[1,{"text":"lo"}]}"#, "abort")
      var pieces: [ExecutorEvent] = []
      let error = await #expect(throws: HybridError.self) {
        for try await event in try await start(worker) { pieces.append(event) }
      }
      #expect(pieces == [.text("Hel"), .text("lo")])
      #expect(error?.code == .engineLost)
      #expect(error?.committed == true)
      #expect(error?.partialText == "Hello")
    }

    @Test(
      arguments: [
        ["raw:00000001ff"], ["raw:7fffffff"], ["raw:00000000"], [#"send:{"nonsense":1}"#],
        [#"send:{"ready":999}"#], [#"send:"beat""#], ["ready", "ready"],
        ["ready", #"send:{"accepted":9}"#], ["ready", "read", #"send:{"event":[1,{"text":"a"}]}"#],
        ["ready", "read", #"send:{"status":[1,{}]}"#],
        ["ready", "read", #"send:{"accepted":1}"#, #"send:{"accepted":1}"#],
        ["ready", "read", #"send:{"failed":[1,{"code":"x"}]}"#],
      ])
    func `a worker that lies is ended, and its requests with a typed error`(
      script: [String]
    ) async throws {
      let worker = LocalWorker(
        executable: Self.program, arguments: ["read"] + script + ["hang"],
        modelPath: "/no/such.gguf", time: clock)
      let error = await #expect(throws: HybridError.self) {
        for try await _ in try await start(worker) {}
      }
      #expect(error?.code == .engineLost)
      #expect(error?.details["problem"]?.string?.isEmpty == false)
      #expect(worker.processID == nil)
    }

    @Test(arguments: [["hang"], ["read", "ready", "hang"]])
    func `a worker that gets on with nothing is ended after its time`(
      script: [String]
    ) async throws {
      let worker = LocalWorker(
        executable: Self.program, arguments: script, modelPath: "/no/such.gguf", time: clock)
      let failing = Task { [self] in try await failure(of: worker) }
      await clock.sleepers(atLeast: 1)
      // One that is ready may still be on its way to hang.
      while !failing.isOver(clock, step: .seconds(60)) { await Task.yield() }
      let error = try await failing.value
      #expect(error.code == .engineLost)
      #expect(error.details["stallLimit"] == 60)
    }

    @Test func `a deadline holds though the worker hangs, and then ends the worker`() async throws {
      let worker = worker("read", "ready", "hang")
      let ends = EndLog()
      let failing = Task { [self] in
        try await failure(of: worker, deadline: .seconds(2), ends: ends)
      }
      // One waits for it to stall, one for the deadline.
      await clock.sleepers(atLeast: 2)
      clock.advance(by: .seconds(3))
      #expect(try await failing.value.code == .deadlineExceeded)
      #expect(ends.codes == [.deadlineExceeded])
      let process = try #require(worker.processID)
      let before = clock.now()
      await clock.run(until: { worker.processID == nil })
      #expect(clock.now() - before >= .seconds(4))
      #expect(await worker.status().failure?.code == .engineLost)
      #expect(Self.isGone(process))
    }

    @Test func `a cancelled task waits no longer for a worker that hangs`() async throws {
      let worker = worker("read", "ready", "hang")
      let ends = EndLog()
      let failing = Task { [self] in try await failure(of: worker, ends: ends) }
      await clock.sleepers(atLeast: 1)
      while worker.processID == nil { await Task.yield() }
      failing.cancel()
      #expect(try await failing.value.code == .cancelled)
      #expect(ends.codes == [.cancelled])
    }

    @Test func `closing waits for one that hangs no longer than its grace`() async throws {
      let worker = worker("read", "ready", "read", #"send:{"accepted":1}"#, "hang")
      let stream = try await start(worker)
      let process = try #require(worker.processID)
      let sleepers = clock.sleeperCount
      let closing = Task { await worker.close() }
      await clock.sleepers(atLeast: sleepers + 1)
      clock.advance(by: .seconds(5))
      await closing.value
      #expect(Self.isGone(process))
      let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
      #expect(error?.code == .engineLost)
      #expect(try await failure(of: worker).code == .engineLost)
      #expect(await worker.status().failure?.until == nil)
    }

    @Test func `a worker that does not heed a cancel is ended after its grace`() async throws {
      let worker = worker("read", "ready", "read", #"send:{"accepted":1}"#, "hang")
      let stream = try await start(worker)
      let process = try #require(worker.processID)
      let sleepers = clock.sleeperCount
      stream.cancel()
      await clock.sleepers(atLeast: sleepers + 1)
      await clock.run(until: { worker.processID == nil })
      #expect(clock.now() >= .origin + .seconds(5))
      let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
      #expect(error?.code == .engineLost)
      #expect(await worker.status().failure?.code == .engineLost)
      #expect(Self.isGone(process))
    }

    @Test func `releasing a worker and its streams ends its process`() async throws {
      var worker: LocalWorker? = worker("read", "ready", "read", #"send:{"accepted":1}"#, "hang")
      var stream: ExecutorStream? = try await start(try #require(worker))
      let process = try #require(worker?.processID)
      worker = nil
      #expect(!Self.isGone(process), "the stream holds it")
      _ = stream.take()
      while !Self.isGone(process) { await Task.yield() }
    }

    @Test func `a program that cannot be started is a wrong setting, told each time`() async throws
    {
      let worker = LocalWorker(
        executable: "/no/such/program", modelPath: "/no/such.gguf", time: clock)
      for _ in 0..<2 {
        let error = try await failure(of: worker)
        #expect(error.code == .invalidConfiguration)
        #expect(error.details["errno"] == .int(Int(ENOENT)))
      }
      #expect(worker.restarts == 0)
      #expect(await worker.status().failure?.code == .invalidConfiguration)
    }

    @Test(
      arguments: [
        .init(memoryLimit: 0), .init(niceness: 20), .init(stallLimit: .zero),
        .init(progressLimit: .zero),
        .init(grace: .seconds(-1)),
      ] as [LocalWorker.Options])
    func `options that no system could have are refused`(options: LocalWorker.Options) async throws
    {
      let worker = LocalWorker(
        executable: Self.program, modelPath: "/no/such.gguf", options: options, time: clock)
      #expect(try await failure(of: worker).code == .invalidConfiguration)
      #expect(worker.processID == nil)
    }

    @Test func `nobody is asked where the permit refuses`() async throws {
      let worker = worker("abort")
      let refusal = HybridError(.localRequired, "no")
      let error = await #expect(throws: HybridError.self) {
        _ = try await worker.start(
          ChatRequest(prompt: "Hi"), in: ExecutionContext(permit: { _ in refusal }))
      }
      #expect(error?.code == .localRequired)
      #expect(worker.restarts == 0)
      #expect(worker.processID == nil)
    }
  }

  extension ManualClock {
    /// Moves on to whoever is due next, as time does, until something is so.
    fileprivate func run(until isOver: () -> Bool) async {
      while !isOver() {
        advanceToNextSleeper()
        await Task.yield()
      }
    }
  }

  extension Task {
    /// Moves the clock on while somebody sleeps on it.
    ///
    /// - Returns: whether nobody does.
    fileprivate func isOver(_ clock: ManualClock, step: Duration) -> Bool {
      guard clock.sleeperCount > 0 else { return true }
      clock.advance(by: step)
      return false
    }
  }
#endif
