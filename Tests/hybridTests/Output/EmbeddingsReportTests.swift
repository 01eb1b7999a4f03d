import HybridCore
import HybridLocal
import Testing

@testable import hybrid

struct EmbeddingsReportTests {
  static let embeddings = Embeddings(
    vectors: [[0.6, -0.8], [1, 0]], tokenCounts: [3, 64],
    truncations: [.init(index: 1, tokens: 102, kept: 64)], model: "tiny", dimension: 2,
    pooling: .cls, isNormalised: true,
    timings: Timings(queue: .milliseconds(1), prefill: .seconds(2), total: .seconds(3)))

  @Test func `plain output is a line a text`() {
    #expect(EmbeddingsReport.text(Self.embeddings) == "0.6 -0.8\n1.0 0.0\n")
  }

  @Test func `the object has the vectors by index, and what they are`() {
    let text = JSONWriter.compact.string(EmbeddingsReport.json(Self.embeddings))
    #expect(
      text
        == #"{"data":[{"index":0,"embedding":[0.6,-0.8],"tokens":3,"truncatedFrom":null},"#
        + #"{"index":1,"embedding":[1.0,0.0],"tokens":64,"truncatedFrom":102}],"model":"tiny","#
        + #""dimension":2,"pooling":"cls","normalised":true,"#
        + #""usage":{"promptTokens":67,"counted":true},"#
        + #""timings":{"queue":0.001,"load":null,"prefill":2,"total":3}}"#)
  }

  @Test func `events are one a text, and a last one`() {
    let events = EmbeddingsReport.events(Self.embeddings)
    #expect(events.map { $0["event"]?.string } == ["embedding", "embedding", "done"])
    #expect(events[1]["index"]?.int == 1)
    #expect(events[2]["usage"]?["promptTokens"]?.int == 67)
    #expect(events[2]["data"] == nil)
  }

  @Test func `a cut text is told with both numbers`() {
    let truncation = Self.embeddings.truncations[0]
    let operands = TextOperands(texts: ["a", "b"], lines: [], skipped: [])
    #expect(
      EmbeddingsReport.note(truncation, name: operands.name(1))
        == "text 1, counted from 0, was cut from 102 to 64 tokens")
    let lines = TextOperands(texts: ["a", "b"], lines: [1, 3], skipped: [2])
    #expect(
      EmbeddingsReport.note(truncation, name: lines.name(1))
        == "line 3 of stdin was cut from 102 to 64 tokens")
  }

  @Test func `lines are told where some were left out`() {
    let object = EmbeddingsReport.json(Self.embeddings, lines: [1, 3])
    #expect(object["data"]?.array?.map { $0["line"]?.int } == [1, 3])
    #expect(EmbeddingsReport.note(skipped: [2]) == "line 2 of stdin is blank, and left out")
    #expect(
      EmbeddingsReport.note(skipped: Array(1...12))
        == "12 blank lines of stdin are left out: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …")
  }
}
