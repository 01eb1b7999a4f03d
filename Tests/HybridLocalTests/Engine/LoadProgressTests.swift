import HybridCore
import HybridLocal
import Synchronization
import Testing

struct LoadProgressTests {
  final class Heard: Sendable {
    private let fractions = Mutex<[Double]>([])
    var all: [Double] { fractions.withLock { $0 } }

    func hear(_ fraction: Double) { fractions.withLock { $0.append(fraction) } }
  }

  @Test func `fractions grow, a percent at a time, and 1 comes last`() {
    let progress = LoadProgress(started: .origin)
    let heard = Heard()
    #expect(progress.listen(heard.hear) != nil)
    for fraction: Float in [0, 0, 0.001, 0.01, 0.5, 0.505, 0.4, .nan, -1, 0.7, 1, 1, 2] {
      progress.record(fraction)
    }
    #expect(heard.all == [0, 0.01, 0.5, 0.7, 0.99])
    progress.finish()
    #expect(heard.all == [0, 0.01, 0.5, 0.7, 0.99, 1])
    #expect(progress.fraction == 1)
    progress.record(0.2)
    #expect(progress.fraction == 1)
    progress.finish()
    #expect(heard.all.count == 6)
  }

  @Test func `who comes later hears the rest, and who has gone nothing`() throws {
    let progress = LoadProgress(started: .origin)
    let (early, late) = (Heard(), Heard())
    let key = try #require(progress.listen(early.hear))
    progress.record(0.25)
    _ = progress.listen(late.hear)
    progress.record(0.5)
    progress.forget(key)
    progress.record(0.75)
    progress.finish()
    #expect(early.all == [0.25, 0.5])
    #expect(late.all == [0.5, 0.75, 1])
    #expect(progress.listen(late.hear) == nil)
    #expect(late.all.count == 3)
  }

  @Test func `what is left follows from what is done, once there is something`() {
    let progress = LoadProgress(started: .origin)
    progress.record(0.04)
    #expect(progress.remaining(at: .origin + .seconds(1)) == nil)
    progress.record(0.25)
    #expect(progress.fraction == 0.25)
    #expect(progress.remaining(at: .origin + .seconds(2)) == .seconds(6))
  }

  @Test func `weights that are there are not yet the whole`() {
    let progress = LoadProgress(started: .origin)
    progress.record(1)
    #expect(progress.fraction == 0.99)
    #expect(progress.remaining(at: .origin + .seconds(2)) == nil)
    progress.finish()
    #expect(progress.fraction == 1)
    #expect(progress.remaining(at: .origin + .seconds(9)) == .zero)
  }
}
