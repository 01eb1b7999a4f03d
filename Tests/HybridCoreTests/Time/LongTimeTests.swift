import HybridCore
import Testing

/// Times that stand for no limit at all.
struct LongTimeTests {
  static let times: [Duration] = [
    .seconds(9_223_372_036), .seconds(9_223_372_037), .seconds(Int64.max),
    .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.max) * 18,
    .zero - .seconds(Int64.max),
    .seconds(Int64.min) * 18,
  ]

  @Test(arguments: times)
  func `a time of any length can be added, taken away and told`(time: Duration) {
    let now = Moment(sinceOrigin: .seconds(100))
    #expect((now + time < now) == (time < .zero))
    #expect((now - time < now) == (time > .zero))
    #expect(now + time + time - time - time == now)
    #expect((time.inSeconds < 0) == (time < .zero))
    #expect(abs(time.inSeconds) > 9e9)
  }

  @Test(arguments: times.filter { $0 > .zero })
  func `a wait of any length can be begun, and cancelled`(time: Duration) async {
    let clock = SystemTimeSource()
    let asleep = Asleep()
    let wait = Task {
      await asleep.beginning()
      try await clock.sleep(until: clock.now() + time)
    }
    await asleep.begun()
    for _ in 0..<100 { await Task.yield() }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }

  /// Lets the wait begin before it is cancelled: a cancelled task does not even try.
  private actor Asleep {
    private var hasBegun = false
    private var waiting: CheckedContinuation<Void, Never>?

    func beginning() {
      hasBegun = true
      waiting?.resume()
    }

    func begun() async {
      if !hasBegun { await withCheckedContinuation { waiting = $0 } }
    }
  }
}
