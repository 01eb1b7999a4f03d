import HybridCore

/// Refuses options that are out of their range, by name.
enum OptionRange {
  /// Requests or texts that may wait: each holds its tokens.
  static let longestQueue = 1_000_000

  /// - Parameters:
  ///   - name: the option's.
  ///   - kind: what it is: "a number of tokens".
  /// - Throws: `invalidConfiguration` with the name under `option`.
  static func require(
    _ value: Int?, in range: ClosedRange<Int>, _ name: String, _ kind: String
  ) throws(HybridError) {
    guard let value, !range.contains(value) else { return }
    let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
    throw invalid(
      name, .int(value), "\(value)", "Give \(kind) from \(range.lowerBound) \(most)")
  }

  /// - Throws: as ``require(_:in:_:_:)``.
  static func requirePositive(_ value: Duration?, _ name: String) throws(HybridError) {
    guard let value, value <= .zero else { return }
    throw invalid(
      name, .seconds(value), "\(value.inSeconds) seconds",
      "Give more than 0 seconds, or leave it out")
  }

  private static func invalid(
    _ name: String, _ value: JSONValue, _ text: String, _ nextStep: String
  ) -> HybridError {
    HybridError(
      .invalidConfiguration, "the option \(name) is \(text), which is not possible",
      nextStep: nextStep, details: ["option": .string(name), name: value], side: .local)
  }
}
