import HybridCore
import Testing

@testable import hybrid

@Suite struct NumberValuesTests {
  private func parsed(_ option: Option, _ text: String) throws -> ParsedArguments {
    try ArgumentParser(options: Command.ask.options).parse(["\(option.spelling)=\(text)"])
  }

  @Test(arguments: ["1", "512", "2147483647"])
  func `a whole number within its range is read`(text: String) throws {
    #expect(try RequestOptions(parsed(.maxTokens, text)).maxTokens == Int(text))
  }

  @Test(arguments: [
    "0", "-1", "+5", " 5", "5 ", "0x10", "1e3", "5.0", "", "٣", "99999999999999999999", "five",
  ])
  func `a count that is none is refused with its range`(text: String) throws {
    let arguments = try parsed(.maxTokens, text)
    let error = try #require(throws: HybridError.self) { try RequestOptions(arguments) }
    #expect(error.code == .usage)
    #expect(error.message.contains("--max-tokens"))
    #expect(error.nextStep?.contains("from 1 to") == true)
  }

  @Test(
    arguments: [
      (Option.temperature, "0", true), (.temperature, "2", true), (.temperature, ".5", true),
      (.temperature, "1e-1", true), (.temperature, "2.1", false), (.temperature, "-0.1", false),
      (.temperature, "nan", false), (.temperature, "inf", false), (.temperature, "0x1", false),
      (.temperature, "+1", false), (.temperature, "1,5", false), (.temperature, "", false),
      (.topP, "0", false), (.topP, "0.1", true), (.topP, "1", true), (.topP, "1.01", false),
      (.minP, "0", true), (.minP, "1", true), (.minP, "1.5", false),
      (.topK, "0", true), (.topK, "-1", false),
      (.seed, "0", true), (.seed, "4294967295", true), (.seed, "4294967296", false),
      (.repeatPenalty, "1.1", true), (.repeatPenalty, "0", false), (.repeatPenalty, "nan", false),
      (.repeatLast, "1", true), (.repeatLast, "0", false),
      (.presencePenalty, "-2", true), (.presencePenalty, "2.1", false),
      (.frequencyPenalty, "2", true), (.frequencyPenalty, "-2.1", false),
      (.logProbs, "0", true), (.logProbs, "20", true), (.logProbs, "21", false),
      (.logProbs, "yes", false),
      (.logitBias, "198=-100", true), (.logitBias, "0=.5", true), (.logitBias, "198", false),
      (.logitBias, "198=", false), (.logitBias, "=5", false), (.logitBias, "198=101", false),
      (.logitBias, "-1=5", false), (.logitBias, "the=5", false), (.logitBias, "198=nan", false),
      (.deadline, "0", false), (.deadline, "0.5", true), (.deadline, "86401", false),
    ] as [(Option, String, Bool)])
  func `each option knows its range`(option: Option, text: String, isAllowed: Bool) throws {
    let arguments = try parsed(option, text)
    if isAllowed {
      _ = try RequestOptions(arguments)
    } else {
      let error = try #require(throws: HybridError.self) { try RequestOptions(arguments) }
      #expect(error.code == .usage)
      #expect(error.message.contains(option.spelling))
    }
  }

  @Test func `biases add up over several options, and the last one for a token counts`() throws {
    let arguments = try ArgumentParser(options: Command.ask.options).parse([
      "--logit-bias", "5=-100", "--logit-bias=9=2.5", "--logit-bias", "5=1",
    ])
    #expect(try RequestOptions(arguments).sampling.logitBias == [5: 1, 9: 2.5])
  }
}
