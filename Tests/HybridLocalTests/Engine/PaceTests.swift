import HybridCore
import HybridLocal
import Testing

struct PaceTests {
  /// Looks at the clock, and the time of each, among questions that come at even steps.
  static func looks(each step: Duration, questions: Int) -> [Moment] {
    var pace = Pace()
    var now = Moment.origin
    var looks: [Moment] = []
    for _ in 0..<questions {
      now = now + step
      if pace.isDue() {
        looks.append(now)
        pace.looked(at: now)
      }
    }
    return looks
  }

  @Test func `quick questions read the clock once in sixteen`() {
    #expect((1_250...1_260).contains(Self.looks(each: .microseconds(8), questions: 20_000).count))
  }

  @Test(arguments: [100, 500, 1_000, 3_000])
  func `the clock is never left for more than a few milliseconds`(microseconds: Int) {
    let looks = Self.looks(each: .microseconds(microseconds), questions: 2_000)
    let gaps = zip(looks, looks.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= .milliseconds(6) })
  }

  @Test func `slow questions read it each time`() {
    #expect(Self.looks(each: .milliseconds(50), questions: 100).count == 100)
  }

  @Test func `questions that become slow read it each time after one stride`() {
    var pace = Pace()
    var now = Moment.origin
    for _ in 0..<2_000 {
      now = now + .microseconds(8)
      if pace.isDue() { pace.looked(at: now) }
    }
    #expect(pace.stride == 15)
    var missed = 0
    for _ in 0..<300 {
      now = now + .milliseconds(50)
      if pace.isDue() { pace.looked(at: now) } else { missed += 1 }
    }
    #expect(pace.stride == 0)
    #expect(missed <= 15)
  }
}
