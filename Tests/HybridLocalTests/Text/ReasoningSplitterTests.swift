import HybridLocal
import Testing

struct ReasoningSplitterTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var input: String
    var startsInside = false
    var reasoning: String
    var text: String
    var testDescription: String { name }
  }

  static let marks = ReasoningMarks(open: "<think>", close: "</think>")

  static let rows = [
    Row(name: "no reasoning", input: " An answer.\n", reasoning: "", text: " An answer.\n"),
    Row(
      name: "reasoning, then the answer", input: "<think>\nLet me see: 2 < 3.\n</think>\n\nThree. ",
      reasoning: "Let me see: 2 < 3.", text: "Three. "),
    Row(
      name: "white space before", input: "\n <think>a</think>b", reasoning: "a", text: "b"),
    Row(name: "nothing thought", input: "<think>\n\n</think>\n\nYes", reasoning: "", text: "Yes"),
    Row(
      name: "opened by the prompt", input: "\nFirst,  second…\n</think>Yes", startsInside: true,
      reasoning: "First,  second…", text: "Yes"),
    Row(name: "cut off inside", input: "<think>I won", reasoning: "I won", text: ""),
    Row(
      name: "cut off inside, opened by the prompt", input: "I won ", startsInside: true,
      reasoning: "I won", text: ""),
    Row(
      name: "cut off in the closing mark", input: "<think>a </thi", reasoning: "a </thi", text: ""),
    Row(name: "cut off in the opening mark", input: "<thi", reasoning: "", text: "<thi"),
    Row(name: "nearly a mark", input: "<thin>x</think>", reasoning: "", text: "<thin>x</think>"),
    Row(
      name: "an answer that speaks of the marks", input: "Write <think>so</think>.", reasoning: "",
      text: "Write <think>so</think>."),
    Row(
      name: "marks after the reasoning", input: "<think>a</think>b <think>c</think>",
      reasoning: "a", text: "b <think>c</think>"),
    Row(
      name: "opening marks within", input: "<think>a <think> b</think>c",
      reasoning: "a <think> b", text: "c"),
    Row(
      name: "a closing mark begun twice", input: "<think>a<</think>b", reasoning: "a<", text: "b"),
    Row(name: "the end at once", input: "", reasoning: "", text: ""),
  ]

  static func split(_ pieces: [Substring], _ row: Row) -> ReasoningSplitter.Output {
    var splitter = ReasoningSplitter(ReasoningUse(marks: marks, startsInside: row.startsInside))
    var all = ReasoningSplitter.Output()
    for output in pieces.map({ splitter.append(String($0)) }) + [splitter.finish()] {
      // The reasoning comes before all of the text.
      #expect(all.text.isEmpty || output.reasoning.isEmpty)
      all.reasoning += output.reasoning
      all.text += output.text
      all.passedOver += output.passedOver
    }
    return all
  }

  @Test(arguments: rows)
  func `reasoning and answer come apart, wherever the pieces are cut`(row: Row) {
    let expected = ReasoningSplitter.Output(
      reasoning: row.reasoning, text: row.text,
      passedOver: row.input.utf8.count - row.text.utf8.count)
    #expect(Self.split([row.input[...]], row) == expected)
    #expect(Self.split(row.input.indices.map { row.input[$0...$0] }, row) == expected)
    for first in row.input.indices {
      for second in row.input[first...].indices {
        let pieces = [row.input[..<first], row.input[first..<second], row.input[second...]]
        #expect(Self.split(pieces, row) == expected)
      }
    }
  }

  @Test func `what is certain is handed out at once`() {
    var splitter = ReasoningSplitter(ReasoningUse(marks: Self.marks))
    #expect(splitter.append("<think>One ").reasoning == "One")
    #expect(splitter.append("two</").reasoning == " two")
    #expect(splitter.append("think> ") == .init(passedOver: 9))
    #expect(splitter.append("Yes ").text == "Yes ")
    #expect(splitter.append("<th").text == "<th")
  }

  @Test func `without marks all is text`() {
    var splitter = ReasoningSplitter(nil)
    #expect(splitter.append("<think> a").text == "<think> a")
    #expect(splitter.finish() == .init())
  }

  @Test(arguments: [
    ("{{ '<think>' }} and {{ '</think>' }}", [], "<think>"),
    ("content.split('</think>')", ["<think>", "</think>", "<|im_end|>"], "<think>"),
    ("no marks", ["[THINK]", "[/THINK]"], "[THINK]"),
    ("<|START_THINKING|>", ["<|END_THINKING|>"], "<|START_THINKING|>"),
    ("</think>", ["<|im_end|>"], nil),
    ("no marks", [], nil),
  ])
  func `the marks are those of the template and the vocabulary`(
    template: String, tokens: [String], open: String?
  ) {
    #expect(ReasoningMarks.of(template: template, tokens: Set(tokens))?.open == open)
  }

  @Test(arguments: [
    ([("<|im_start|>assistant\n<think>\n", TextOrigin.template)], true),
    ([("Say <think>", .content), ("<|im_end|><think>", .template)], true),
    ([("<|im_start|>assistant\n", .template)], false),
    ([("<think>\n\n</think>\n\n", .template)], false),
    ([("assistant: ", .template), ("<think>", .content)], false),
    ([], false),
  ])
  func `only a template opens the reasoning`(pieces: [(String, TextOrigin)], isOpen: Bool) {
    let prompt = RenderedPrompt(pieces: pieces.map { .init(text: $0.0, origin: $0.1) })
    #expect(Self.marks.isOpen(at: prompt) == isOpen)
  }
}
