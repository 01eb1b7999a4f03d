/// Counts the calls of the last seconds, and the failed ones among them, in constant space.
///
/// Thirty slots; what is older than the window's length goes a slot at a time.
struct CallWindow: Sendable, Hashable {
  private static let slots: Int64 = 30

  private struct Slot: Sendable, Hashable {
    var number: Int64 = -1
    var calls = 0
    var failures = 0
  }

  private let slotLength: Duration
  private var ring: [Slot] = []

  init(length: Duration) {
    slotLength = max(length / Int(Self.slots), .milliseconds(1))
  }

  mutating func add(failed: Bool, at now: Moment) {
    if ring.isEmpty { ring = Array(repeating: Slot(), count: Int(Self.slots)) }
    let number = slotNumber(now)
    let place = Int(number % Self.slots)
    if ring[place].number != number { ring[place] = Slot(number: number) }
    ring[place].calls += 1
    if failed { ring[place].failures += 1 }
  }

  func counts(at now: Moment) -> (calls: Int, failures: Int) {
    let oldest = slotNumber(now) - Self.slots
    var counts = (calls: 0, failures: 0)
    for slot in ring where slot.number > oldest {
      counts.calls += slot.calls
      counts.failures += slot.failures
    }
    return counts
  }

  mutating func clear() {
    ring = []
  }

  private func slotNumber(_ now: Moment) -> Int64 {
    Int64(max(0, (now - .origin) / slotLength))
  }
}
