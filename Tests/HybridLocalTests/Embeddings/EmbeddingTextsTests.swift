import HybridCore
import HybridLocal
import Testing

struct EmbeddingTextsTests {
  @Test func `texts that fit stay as they are`() throws {
    let texts = try EmbeddingTexts([[1], [1, 2, 3]], contextLength: 3, truncates: false)
    #expect(texts.tokens == [[1], [1, 2, 3]])
    #expect(texts.truncations.isEmpty)
  }

  @Test func `a text that is too long is named with both numbers`() throws {
    let error = #expect(throws: HybridError.self) {
      try EmbeddingTexts(
        [[1], [1, 2, 3, 4], [1, 2, 3, 4, 5]], contextLength: 3, truncates: false)
    }
    #expect(error?.code == .contextTooLong)
    #expect(error?.details["index"]?.int == 1)
    #expect(error?.details["promptTokens"]?.int == 4)
    #expect(error?.details["contextLength"]?.int == 3)
  }

  @Test func `a text is cut where that is allowed, keeps its end mark, and is told`() throws {
    let texts = try EmbeddingTexts(
      [[101, 7, 102], [101, 1, 2, 3, 4, 102]], contextLength: 4, ending: 1, truncates: true)
    #expect(texts.tokens == [[101, 7, 102], [101, 1, 2, 102]])
    #expect(texts.truncations == [.init(index: 1, tokens: 6, kept: 4)])
  }

  @Test func `where nothing of the text would be left it is not cut`() {
    #expect(throws: HybridError.self) {
      try EmbeddingTexts([[1, 2, 3]], contextLength: 2, ending: 2, truncates: true)
    }
    let between = #expect(throws: HybridError.self) {
      try EmbeddingTexts(
        [[1, 2, 3]], contextLength: 2, beginning: 1, ending: 1, truncates: true)
    }
    #expect(between?.code == .contextTooLong)
  }

  @Test(
    arguments: [
      ([], 4, "texts"), (["a", "", "b"], 4, "index"), (["a", "b", "c"], 2, "most"),
    ] as [([String], Int, String)])
  func `what no model could embed is refused`(texts: [String], most: Int, detail: String) {
    let error = #expect(throws: HybridError.self) {
      try EmbeddingTexts.validate(texts, most: most)
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.nextStep != nil)
    if !texts.isEmpty { #expect(error?.details[detail] != nil) }
  }

  @Test func `blanks are a text, and as many as allowed are`() throws {
    try EmbeddingTexts.validate([" ", "\n"], most: 2)
  }
}
