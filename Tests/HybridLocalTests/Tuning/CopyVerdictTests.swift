import HybridCore
import Testing

@testable import HybridLocal

@Suite struct CopyVerdictTests {
  private func row(
    _ prefill: Double, _ decode: Double, kl: Double = 0, ratio: Double = 1
  ) -> FormatMeasurement {
    FormatMeasurement(
      format: "F", size: 1, memory: 1, prefill: prefill, decode: decode,
      quality: CopyQuality(divergence: kl, perplexityRatio: ratio, ratioError: 0, tokens: 1))
  }

  private func verdicts(
    _ copies: [FormatMeasurement], limits: QualityLimits = .lossless
  ) -> [CopyVerdict] {
    CopyVerdict.of(copies, original: row(100, 50), limits: limits, leastGain: 1.05)
  }

  @Test(
    arguments: [
      (0.005, 1.0, CopyVerdict.kept), (0.01, 1.0099, .kept), (0.01, 0.9901, .kept),
      (0.0101, 1.0, .divergence(limit: 0.01)), (0.28, 1.25, .divergence(limit: 0.01)),
      (0.005, 1.0101, .perplexity(limit: 0.01)), (0.005, 0.98, .perplexity(limit: 0.01)),
      (.nan, 1.0, .divergence(limit: 0.01)), (0.0, .nan, .perplexity(limit: 0.01)),
      (.infinity, 1.0, .divergence(limit: 0.01)),
    ] as [(Double, Double, CopyVerdict)])
  func `a copy is judged by both limits`(kl: Double, ratio: Double, verdict: CopyVerdict) {
    #expect(verdicts([row(200, 50, kl: kl, ratio: ratio)]) == [verdict])
  }

  @Test func `the fastest good copy is kept, however fast a bad one is`() {
    let copies = [row(200, 50), row(300, 60), row(900, 900, kl: 0.3), row(101, 50)]
    #expect(
      verdicts(copies) == [
        .admitted, .kept, .divergence(limit: 0.01), .notFaster(least: 1.05),
      ])
  }

  @Test func `other limits admit other copies`() {
    let copies = [row(200, 50, kl: 0.2, ratio: 1.2)]
    #expect(verdicts(copies, limits: QualityLimits(divergence: 0.5, perplexity: 0.5)) == [.kept])
    #expect(verdicts([]) == [])
  }

  @Test func `gain weighs a prompt of 256 tokens and an answer of 64`() {
    // 256/100 + 64/50 = 3.84 s; 256/200 + 64/50 = 2.56 s.
    #expect(abs(row(200, 50).gain(over: row(100, 50)) - 1.5) < 1e-12)
    #expect(row(100, 50).gain(over: row(100, 50)) == 1)
  }

  @Test func `quality is made of what was measured at each place`() throws {
    let quality = try #require(
      CopyQuality(original: [1, 2, 3], copy: [1.5, 2, 2.5], divergences: [0.1, 0.2, 0.3]))
    #expect(abs(quality.divergence - 0.2) < 1e-12)
    #expect(quality.perplexityRatio == 1)
    // The differences ½, 0, −½ have a variance of ¼.
    #expect(abs(quality.ratioError - (0.25 / 3).squareRoot()) < 1e-12)
    #expect(quality.tokens == 3)
    #expect(CopyQuality(original: [], copy: [], divergences: []) == nil)
    #expect(CopyQuality(original: [1], copy: [1, 2], divergences: [1, 2]) == nil)
  }
}
