private import HybridCore

/// What a request asks of the engine.
package struct Work: Sendable, Hashable {
  package var promptTokens: Int
  /// The most that it may generate.
  package var mostOutputTokens: Int

  package init(promptTokens: Int, mostOutputTokens: Int) {
    self.promptTokens = promptTokens
    self.mostOutputTokens = mostOutputTokens
  }
}

/// How fast the engine has been of late, to foretell how long a request will take.
///
/// Each measurement counts a quarter, what was known before three quarters: a change of the
/// machine's load shows after a few answers, one odd answer hardly does.
package struct SpeedMeter: Sendable, Hashable {
  private var prefill = MovingAverage(weight: 1 / 4)
  private var decode = MovingAverage(weight: 1 / 4)
  private var output = MovingAverage(weight: 1 / 4)

  /// Seconds a token; nil until measured.
  package var prefillSeconds: Double? { prefill.value }
  package var decodeSeconds: Double? { decode.value }
  /// Tokens in a usual answer; nil until one ended.
  package var outputTokens: Double? { output.value }

  package init() {}

  /// - Parameters:
  ///   - prefill: the time for `promptTokens`.
  ///   - decode: the time from the first generated token to the last.
  package mutating func record(
    promptTokens: Int, prefill: Duration, generatedTokens: Int, decode: Duration
  ) {
    if promptTokens > 0, prefill > .zero {
      self.prefill.record(prefill.inSeconds / Double(promptTokens))
    }
    if generatedTokens > 1, decode > .zero {
      self.decode.record(decode.inSeconds / Double(generatedTokens - 1))
    }
    if generatedTokens > 0 { output.record(Double(generatedTokens)) }
  }

  /// The time that the work will take; zero while nothing has been measured.
  package func expected(_ work: Work) -> Duration {
    let output = min(Double(work.mostOutputTokens), outputTokens ?? 0)
    return .seconds(
      (prefillSeconds ?? 0) * Double(work.promptTokens) + (decodeSeconds ?? 0) * output)
  }
}
