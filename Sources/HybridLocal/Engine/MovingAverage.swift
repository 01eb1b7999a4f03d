/// The exponential moving average of a measurement.
struct MovingAverage: Sendable, Hashable {
  /// What a new measurement counts, above 0 and at most 1.
  let weight: Double
  /// nil until something was measured.
  private(set) var value: Double?

  init(weight: Double) {
    self.weight = weight
  }

  mutating func record(_ sample: Double) {
    value = value.map { $0 + weight * (sample - $0) } ?? sample
  }

  /// As if nothing had been measured.
  mutating func forget() { value = nil }
}
