import HybridCore
import HybridLocal
import Testing

@Suite struct TunerOptionsTests {
  struct Case: Sendable {
    let name: String
    let change: @Sendable (inout ModelTuner.Options) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout ModelTuner.Options) -> Void) {
      self.name = name
      self.change = change
    }
  }

  @Test(
    arguments: [
      Case("divergence") { $0.limits.divergence = -0.1 },
      Case("divergence") { $0.limits.divergence = .nan },
      Case("perplexity") { $0.limits.perplexity = .infinity },
      Case("perplexity") { $0.limits.perplexity = 101 },
      Case("leastGain") { $0.leastGain = -0.1 }, Case("leastGain") { $0.leastGain = .nan },
      Case("promptTokens") { $0.promptTokens = 15 }, Case("outputTokens") { $0.outputTokens = 0 },
      Case("textTokens") { $0.textTokens = 63 }, Case("rounds") { $0.rounds = 0 },
      Case("threads") { $0.threads = 0 }, Case("formats") { $0.formats = [] },
    ])
  func `an impossible option is refused by its name`(row: Case) throws {
    var options = ModelTuner.Options()
    row.change(&options)
    let error = try #require(throws: HybridError.self) { try options.validate() }
    #expect(error.code == .invalidConfiguration)
    #expect(error.details["option"]?.string == row.name)
  }

  @Test func `the default options are possible, and so are no limits`() throws {
    try ModelTuner.Options().validate()
    try ModelTuner.Options(limits: QualityLimits(divergence: 100, perplexity: 0)).validate()
  }
}
