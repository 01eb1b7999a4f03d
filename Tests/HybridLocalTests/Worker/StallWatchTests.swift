import HybridCore
import HybridLocal
import Testing

/// When a worker is taken for one that hangs.
@Suite struct StallWatchTests {
  private var watch = StallWatch(silence: .seconds(8), beats: .seconds(80), at: .origin)
  private var now = Moment.origin

  /// Looks as often as it wants, each time so late.
  private mutating func verdict(
    looks: Int, late: Duration = .zero, isStopped: Bool = false, isHeldUp: Bool = false,
    waitsForReaders: Bool = false, beats: Bool = false
  ) -> StallWatch.Verdict {
    var last = StallWatch.Verdict.wait(until: watch.next)
    for _ in 0..<looks {
      now = watch.next + late
      if beats { watch.heard(at: now, isNews: false, waitsForReaders: waitsForReaders) }
      last = watch.look(
        at: now, isStopped: isStopped, isHeldUp: isHeldUp, waitsForReaders: waitsForReaders)
      guard case .wait = last else { return last }
    }
    return last
  }

  @Test mutating func `one that says nothing is found out after its time`() {
    #expect(verdict(looks: 7) == .wait(until: .origin + .seconds(8)))
    #expect(verdict(looks: 1) == .stalled)
  }

  @Test mutating func `what it says sets the time back, beats too`() {
    _ = verdict(looks: 7)
    watch.heard(at: now, isNews: false)
    #expect(verdict(looks: 7) == .wait(until: .origin + .seconds(15)))
    #expect(verdict(looks: 1) == .stalled)
  }

  @Test mutating func `time in which nobody here was awake does not count`() {
    _ = verdict(looks: 6)
    // The machine slept for a day: the worker has had no second more.
    #expect(verdict(looks: 1, late: .seconds(86_400)) == .wait(until: now + .seconds(1)))
    #expect(verdict(looks: 1) == .stalled)
  }

  @Test mutating func `a stop of the worker does not count, up to ten times the limit`() {
    _ = verdict(looks: 7)
    #expect(verdict(looks: 79, isStopped: true) == .wait(until: now + .seconds(1)))
    #expect(verdict(looks: 1, isStopped: true) == .wait(until: now + .seconds(1)))
    #expect(verdict(looks: 1, isStopped: true) == .stalled)
  }

  @Test mutating func `a worker that stops itself between beats has no more than that`() {
    var looks = 0
    while true {
      let beats = looks.isMultiple(of: 4)
      looks += 1
      let verdict = verdict(looks: 1, isStopped: true, beats: beats)
      guard case .wait = verdict else { break }
      if looks > 1000 { break }
    }
    #expect(looks <= 180)
  }

  @Test mutating func `what the application does with a word is no fault of the worker's`() {
    #expect(verdict(looks: 1000, isHeldUp: true) == .wait(until: now + .seconds(1)))
  }

  @Test mutating func `beats alone are believed for a time`() {
    #expect(verdict(looks: 79, beats: true) == .wait(until: now + .seconds(1)))
    watch.heard(at: now, isNews: true)
    #expect(verdict(looks: 79, beats: true) == .wait(until: now + .seconds(1)))
    #expect(verdict(looks: 1, beats: true) == .onlyBeats)
  }

  @Test mutating func `one whose readers are slow may tell so for ever`() {
    #expect(
      verdict(looks: 1000, waitsForReaders: true, beats: true) == .wait(until: now + .seconds(1)))
  }

  @Test mutating func `who owes anew begins anew`() {
    _ = verdict(looks: 7)
    watch.begin(at: now)
    #expect(verdict(looks: 7) == .wait(until: now + .seconds(1)))
  }
}
