import HybridCore
import HybridRouting
import Testing

@testable import hybrid

@Suite struct WordsTests {
  @Test(arguments: [
    (Duration.milliseconds(0), "0 ms"), (.milliseconds(180), "180 ms"), (.seconds(1), "1.0 s"),
    (.milliseconds(2449), "2.4 s"), (.seconds(75), "75 s"),
  ])
  func `durations read as people say them`(duration: Duration, text: String) {
    #expect(Words.duration(duration) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (999_960_000, "1.0 GB"),
    (98_362_432, "98.4 MB"), (21_916_381_184, "21.9 GB"),
  ])
  func `sizes have a unit`(count: Int, text: String) {
    #expect(Words.bytes(count) == text)
  }

  @Test func `a plan's sizes have the same units as a command's`() {
    let text = ReasonText.of(.insufficientMemory).sentence([
      "needed": .int(336_700_000), "available": .int(142_100_000),
    ])
    #expect(text.contains("336.7 MB") && text.contains("142.1 MB"), "\(text)")
  }

  @Test(
    arguments: [
      (31.24, 1, "31.2"), (0.05, 1, "0.1"), (-1.25, 2, "-1.25"), (7.0, 2, "7.00"),
      (1.005, 1, "1.0"),
    ] as [(Double, Int, String)])
  func `fractions keep their digits`(value: Double, digits: Int, text: String) {
    #expect(value.rounded(to: digits) == text)
  }

  @Test(arguments: [("see that", "See that."), ("Did you?", "Did you?"), ("", "")])
  func `a sentence begins and ends`(text: String, sentence: String) {
    #expect(Words.sentence(text) == sentence)
  }
}
