public import HybridCore

extension ModelTuner {
  /// What is tried, how it is measured, and what is good enough.
  public struct Options: Sendable, Hashable {
    /// The formats to try, but for the file's own. nil: those of ``WeightFormat/all`` that llama.cpp has
    /// fast kernels for on this CPU.
    public var formats: [WeightFormat]?

    public var limits: QualityLimits

    /// How many times as fast as the file itself a copy has to be to be kept, 0 to 100; see
    /// ``FormatMeasurement/gain(over:)``. Below 1 a slower one may be kept.
    public var leastGain: Double

    /// Tokens of the prompt that is timed, 16 to 4,096.
    public var promptTokens: Int

    /// Tokens of the answer that is timed, 4 to 1,024.
    public var outputTokens: Int

    /// The most tokens of the built-in text, of about 1,000, that answers are compared over; 64 to 4,096.
    public var textTokens: Int

    /// How often each file is timed, 1 to 100; they take turns, and the best counts.
    public var rounds: Int

    /// CPU threads. nil: what a load would take.
    public var threads: Int?

    /// Measures anew where an earlier run has done so.
    public var isForced: Bool

    public init(
      formats: [WeightFormat]? = nil, limits: QualityLimits = .lossless, leastGain: Double = 1.05,
      promptTokens: Int = 256, outputTokens: Int = 32, textTokens: Int = 1_024, rounds: Int = 3,
      threads: Int? = nil, isForced: Bool = false
    ) {
      self.formats = formats
      self.limits = limits
      self.leastGain = leastGain
      self.promptTokens = promptTokens
      self.outputTokens = outputTokens
      self.textTokens = textTokens
      self.rounds = rounds
      self.threads = threads
      self.isForced = isForced
    }

    /// - Throws: `invalidConfiguration` with the option's name under `option`.
    public func validate() throws(HybridError) {
      try limits.validate()
      guard leastGain.isFinite, (0...100).contains(leastGain) else {
        throw Self.invalid("leastGain", .double(leastGain), "Give a number from 0 to 100")
      }
      let numbers: [(String, Int?, ClosedRange<Int>)] = [
        ("promptTokens", promptTokens, 16...4_096), ("outputTokens", outputTokens, 4...1_024),
        ("textTokens", textTokens, 64...4_096), ("rounds", rounds, 1...100),
        ("threads", threads, ThreadSettings.range),
      ]
      for (name, value, range) in numbers {
        guard let value, !range.contains(value) else { continue }
        throw Self.invalid(
          name, .int(value), "Give a number from \(range.lowerBound) to \(range.upperBound)")
      }
      if formats?.isEmpty == true {
        throw Self.invalid("formats", .array([]), "Name one, or leave it out")
      }
    }

    private static func invalid(
      _ name: String, _ value: JSONValue, _ nextStep: String
    ) -> HybridError {
      HybridError(
        .invalidConfiguration,
        "the option \(name) is \(JSONWriter.compact.string(value)), which is not possible",
        nextStep: nextStep, details: ["option": .string(name), "value": value], side: .local)
    }
  }
}
