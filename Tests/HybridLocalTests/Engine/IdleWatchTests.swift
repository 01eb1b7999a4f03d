import HybridCore
import HybridLocal
import Testing

struct IdleWatchTests {
  func at(_ seconds: Double) -> Moment { .origin + .seconds(seconds) }

  /// The macros take no mutating call.
  func begin(_ idle: inout IdleWatch, _ since: Moment) -> (watch: Int, until: Moment)? {
    idle.begin(idleSince: since)
  }

  func woke(
    _ idle: inout IdleWatch, _ watch: Int, _ idleSince: Moment?, _ now: Moment
  ) -> IdleWatch.Verdict {
    idle.woke(watch, idleSince: idleSince, at: now)
  }

  @Test func `a model that stays idle is given up when its time is over`() throws {
    var idle = IdleWatch(limit: .seconds(60))
    let (watch, until) = try #require(begin(&idle, at(5)))
    #expect(until == at(65))
    #expect(woke(&idle, watch, at(5), at(65)) == .giveUp)
    #expect(woke(&idle, watch, at(5), at(66)) == .end)
  }

  @Test func `requests in between put it off, counted from the last one's end`() throws {
    var idle = IdleWatch(limit: .seconds(60))
    let watch = try #require(begin(&idle, at(0))).watch
    // One watch is enough for all of them.
    #expect(begin(&idle, at(10)) == nil)
    #expect(begin(&idle, at(59)) == nil)
    #expect(woke(&idle, watch, at(59), at(60)) == .wait(until: at(119)))
    #expect(woke(&idle, watch, at(59), at(118.9)) == .wait(until: at(119)))
    #expect(woke(&idle, watch, at(59), at(119)) == .giveUp)
  }

  @Test func `a watch that finds the model in use ends, and the next idle time has its own`() throws
  {
    var idle = IdleWatch(limit: .seconds(60))
    let first = try #require(begin(&idle, at(0))).watch
    #expect(woke(&idle, first, nil, at(60)) == .end)
    let second = try #require(begin(&idle, at(500)))
    #expect(second.until == at(560))
    #expect(second.watch != first)
    #expect(woke(&idle, second.watch, at(500), at(560)) == .giveUp)
  }

  @Test func `a watch of a model that has gone has nothing to say about the next one`() throws {
    var idle = IdleWatch(limit: .seconds(60))
    let old = try #require(begin(&idle, at(0))).watch
    idle.stop()
    let new = try #require(begin(&idle, at(30)))
    #expect(woke(&idle, old, at(-100), at(60)) == .end)
    #expect(woke(&idle, new.watch, at(30), at(90)) == .giveUp)
  }

  @Test func `without a limit nothing is ever watched`() {
    var idle = IdleWatch(limit: nil)
    #expect(begin(&idle, at(0)) == nil)
    #expect(woke(&idle, 1, at(0), at(1e9)) == .end)
  }
}
