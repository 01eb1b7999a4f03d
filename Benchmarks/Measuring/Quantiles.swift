import Foundation

/// Measurements in order of size.
public struct Quantiles {
  public let sorted: [Double]

  /// - Parameter values: at least one.
  public init(_ values: [Double]) {
    sorted = values.sorted()
  }

  public var median: Double { self[0.5] }

  /// Between two measurements, the line between them.
  public subscript(share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let (low, high) = (sorted[Int(place)], sorted[Int(place.rounded(.up))])
    return low + (high - low) * (place - place.rounded(.down))
  }

  /// A quarter below, the median, a quarter above.
  public func quartiles(digits: Int = 3) -> String {
    [0.25, 0.5, 0.75].map { number(self[$0], digits) }.joined(separator: "   ")
  }
}

public func number(_ value: Double, _ digits: Int) -> String {
  String(format: "%.\(digits)f", value)
}
