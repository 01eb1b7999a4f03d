import HybridCore
import HybridLocal
import Testing

struct ChoiceChannelTests {
  private static func completion(
    _ reason: FinishReason = .stop, prompt: Int = 30, cached: Int = 0, tokens: Int = 5,
    timings: Timings = Timings()
  ) -> Completion {
    Completion(
      finishReason: reason, model: "m",
      usage: Usage(
        promptTokens: prompt, cachedTokens: cached, completionTokens: tokens, counted: true),
      timings: timings, threads: ThreadCounts(decode: 2, prefill: 2))
  }

  private static func jobs(_ count: Int, _ log: EndLog, stop: EndLog = EndLog()) -> [EngineJob] {
    let channel = ChoiceChannel(
      choices: count, stop: { stop.add(nil) }, onEnd: { log.add($0) })
    return (0..<count).map {
      EngineJob(
        id: RequestID($0),
        request: EngineRequest(prompt: [1], sampler: .greedy, received: .origin),
        channel: channel, choice: $0)
    }
  }

  /// What has come, and how it ended.
  private static func events(_ job: EngineJob) async -> (
    events: [ExecutorEvent], error: HybridError?
  ) {
    var events: [ExecutorEvent] = []
    do throws(HybridError) {
      while let event = try await job.events.next() { events.append(event) }
      return (events, nil)
    } catch {
      return (events, error)
    }
  }

  @Test func `it ends when the last choice has, with the sum of all`() async throws {
    let log = EndLog()
    let jobs = Self.jobs(3, log)
    #expect(jobs[2].handOut(.text("c")))
    #expect(jobs[0].handOut(.text("a")))
    jobs[1].finish(Self.completion(.length, cached: 29, tokens: 7))
    jobs[0].finish(Self.completion(cached: 4))
    #expect(log.codes == [])
    jobs[2].finish(Self.completion(.contextFull, cached: 29, tokens: 1))
    let (events, error) = await Self.events(jobs[0])
    #expect(error == nil)
    #expect(events.dropLast() == [.choice(2, .text("c")), .text("a")])
    guard case .finished(let end) = events.last else {
      Issue.record("no end")
      return
    }
    #expect(end.finishReason == .stop)
    #expect(end.otherFinishReasons == [.length, .contextFull])
    #expect(
      end.usage
        == Usage(promptTokens: 30, cachedTokens: 4, completionTokens: 13, counted: true))
    #expect(log.codes == [nil])
    #expect(!jobs[0].handOut(.text("late")))
  }

  @Test func `the times go from the first beginning to the last end`() async {
    func timings(_ queue: Double, _ decode: Double) -> Timings {
      Timings(
        queue: .seconds(queue), load: .seconds(1), prefill: .seconds(2), decode: .seconds(decode),
        firstToken: .seconds(queue + 3), total: .seconds(queue + decode + 3),
        throttled: .seconds(queue), cpuPressure: 0.5)
    }
    let jobs = Self.jobs(2, EndLog())
    // One after the other: the second begins when the first is through.
    jobs[0].finish(Self.completion(timings: timings(1, 4)))
    jobs[1].finish(Self.completion(timings: timings(5, 6)))
    guard case .finished(let end) = await Self.events(jobs[0]).events.last else {
      Issue.record("no end")
      return
    }
    #expect(
      end.timings
        == Timings(
          queue: .seconds(1), load: .seconds(1), prefill: .seconds(2), decode: .seconds(10),
          firstToken: .seconds(4), total: .seconds(14), throttled: .seconds(5),
          cpuPressure: 0.5))
  }

  @Test func `those stopped before they began have no prompt to count`() async {
    let log = EndLog()
    let jobs = Self.jobs(2, log)
    jobs[1].finish(Self.completion(.cancelled, prompt: 0, tokens: 0))
    jobs[0].finish(Self.completion(cached: 12))
    guard case .finished(let end) = await Self.events(jobs[0]).events.last else {
      Issue.record("no end")
      return
    }
    #expect(end.usage?.promptTokens == 30)
    #expect(end.usage?.cachedTokens == 12)
    #expect(end.isCancelled)
    #expect(log.codes == [.cancelled])
  }

  @Test func `the first error ends it, stops the others, and is told once`() async {
    let log = EndLog()
    let stop = EndLog()
    let jobs = Self.jobs(3, log, stop: stop)
    _ = jobs[0].handOut(.text("ab"))
    _ = jobs[1].handOut(.text("x"))
    jobs[2].finish(Self.completion())
    var isFirst = false
    jobs[1].fail(HybridError(.decodeFailed, "broken")) {
      isFirst = log.codes.isEmpty
      // What the engine's end does to the others adds nothing.
      jobs[0].fail(HybridError(.engineLost, "ended"))
    }
    #expect(isFirst)
    let (events, error) = await Self.events(jobs[0])
    #expect(events.count == 2)
    #expect(error?.code == .decodeFailed)
    #expect(error?.committed == true)
    #expect(error?.partialText == "ab")
    #expect(log.codes == [.decodeFailed])
    #expect(stop.codes == [nil])
    await #expect(throws: HybridError.self) { try await jobs[2].accepted.wait() }
  }
}
