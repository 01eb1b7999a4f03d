import HybridCore
import HybridKit
import HybridRouting
import Testing

@testable import hybrid

/// What each event puts on stdout and stderr, as text.
@Suite struct AnswerPrinterTests {
  private let plan = RoutingPolicy().plan(for: RoutingFacts(local: .ready()))
  private let reason = Reason(.remoteFailed, details: ["code": "connection.refused"])

  private func answer(
    _ text: String, finish: FinishReason = .stop, usage: Usage? = nil, timings: Timings = Timings(),
    reason: Reason? = nil
  ) -> Answer {
    Answer(
      text: text, ranOn: .local, reason: reason,
      completion: Completion(
        finishReason: finish, model: "m", usage: usage, timings: timings),
      attempts: [], plan: plan)
  }

  private func printed(
    _ events: [AnswerEvent], _ arguments: [String] = [], isTerminal: Bool = false,
    choices: Int = 1, error: HybridError? = nil
  ) throws -> AnswerPrinter.Lines {
    let parsed = try ArgumentParser(options: Command.ask.options).parse(arguments)
    let appearance = Appearance(
      mode: .never, environment: Environment([:]), outputIsTerminal: isTerminal,
      errorIsTerminal: isTerminal)
    var printer = AnswerPrinter(
      options: try OutputOptions(parsed), appearance: appearance, choices: choices)
    var all = AnswerPrinter.Lines()
    for event in events {
      let lines = printer.lines(for: event)
      all.output += lines.output
      all.notes += lines.notes
    }
    if let error {
      let lines = printer.lines(for: error, command: .ask)
      all.output += lines.output
      all.notes += lines.notes
    }
    return all
  }

  @Test func `text comes as it is and its line is ended once`() throws {
    #expect(try printed([.text("a"), .text("b"), .done(answer("ab"))]).output == "ab\n")
    #expect(try printed([.text("a\n"), .done(answer("a\n"))]).output == "a\n")
    #expect(try printed([.done(answer(""))]).output == "")
  }

  @Test func `log-probabilities are a line of JSON, and a note for who wants to know all`() throws {
    let event = AnswerEvent.logProbs([
      TokenLogProb(
        text: "sky\n", bytes: nil, token: 9, logProb: -0.021,
        alternatives: [
          .init(text: "sky\n", bytes: nil, token: 9, logProb: -0.021),
          .init(text: "sea", bytes: nil, token: 8, logProb: -4.1),
        ])
    ])
    #expect(try printed([event]) == AnswerPrinter.Lines())
    #expect(try printed([event], ["-v"]).notes == [#""sky\n" -0.02; also "sea" -4.10"#])
    let line = try printed([event], ["--jsonl"]).output
    #expect(line.hasPrefix(#"{"event":"logProbs","tokens":[{"text":"sky\n","bytes":null,"#))
  }

  @Test(arguments: [-1e300, -.infinity, 1e17, -9_223_372_036_854_775_808 / 100, .nan])
  func `a log-probability of any size is told`(value: Double) throws {
    let event = AnswerEvent.logProbs([
      TokenLogProb(text: "a", bytes: nil, token: 1, logProb: value, alternatives: [])
    ])
    let note = try #require(try printed([event], ["-v"]).notes.first)
    #expect(note.hasPrefix("\"a\" "))
  }

  @Test(arguments: [
    (FinishReason.length, "--max-tokens"), (.contextFull, "context is full"),
    (.contentFilter, "content filter"), (.cancelled, "not complete"),
  ])
  func `a cut answer says so, and quiet does not`(finish: FinishReason, word: String) throws {
    let events = [AnswerEvent.text("a"), .done(answer("a", finish: finish))]
    #expect(try printed(events).notes.contains { $0.contains(word) })
    #expect(try printed(events, ["-q"]).notes.isEmpty)
  }

  private func several(
    _ first: FinishReason = .stop, _ second: FinishReason = .stop
  ) -> [AnswerEvent] {
    var whole = answer("ab", finish: first)
    whole.otherChoices = [AnswerChoice(text: "c", finishReason: second)]
    whole.completion.otherFinishReasons = [second]
    return [.text("a"), .choice(1, .text("c")), .text("b"), .done(whole)]
  }

  @Test func `several choices come one below the other, each with its head`() throws {
    let text = "--- choice 1 of 2 ---\nab\n--- choice 2 of 2 ---\nc\n"
    #expect(try printed(several(), choices: 2) == AnswerPrinter.Lines(output: text))
    let empty = [AnswerEvent.done(answer(""))]
    #expect(try printed(empty, choices: 2).output.hasPrefix("--- choice 1 of 2 ---\n"))
  }

  @Test func `of several choices each cut one says so by its number`() throws {
    let notes = try printed(several(.stop, .length), ["-v"], choices: 2).notes
    #expect(
      notes == [
        "choice 2: cut off at the most tokens allowed; --max-tokens sets that",
        "ran on: local (m) · reason: – · finish: stop, length",
      ])
    let call = ToolCall(id: "1", name: "look", arguments: "{}")
    #expect(
      try printed([.choice(1, .toolCall(call))], choices: 2).notes
        == ["choice 2: tool call: look({})"])
  }

  @Test func `a line of JSON says whose a further choice's piece is, from 0`() throws {
    let lines = try printed(several(), ["--jsonl"], choices: 2).output.split(separator: "\n")
    #expect(
      lines.prefix(3) == [
        #"{"event":"delta","text":"a"}"#, #"{"event":"delta","text":"c","choice":1}"#,
        #"{"event":"delta","text":"b"}"#,
      ])
  }

  @Test func `a whole answer to a pipe leaves stderr alone`() throws {
    #expect(try printed([.plan(plan), .text("a"), .done(answer("a"))]).notes.isEmpty)
  }

  @Test func `verbose tells the plan, the attempts and the fallback`() throws {
    let attempt = Attempt(
      side: .remote, failure: .server, status: 500, duration: .milliseconds(120))
    let notes = try printed(
      [
        .plan(plan), .attempt(attempt), .fallback(from: .remote, to: .local, reason: reason),
        .reasoning("Let me see."), .text("a"), .done(answer("a", reason: reason)),
      ], ["-v"]
    ).notes
    #expect(
      notes == [
        "plan: local · reason: – · fallback: –",
        "attempt: remote, server (HTTP 500), 120 ms",
        "remoteFailed (connection.refused); asking local",
        "Let me see.",
        "ran on: local (m) · reason: remoteFailed (connection.refused)",
      ])
  }

  @Test func `a note on a screen begins a line of its own, and the answer goes on in the next`()
    throws
  {
    let call = AnswerEvent.toolCall(ToolCall(id: "1", name: "f", arguments: "{}"))
    let events: [AnswerEvent] = [.text("a"), call, .text("b"), .done(answer("ab"))]
    let screen = try printed(events, ["-q"], isTerminal: true)
    #expect(screen.output == "ab\n")
    #expect(screen.notes == ["\ntool call: f({})"])
    #expect(try printed(events, ["-q"]).notes == ["tool call: f({})"])
    #expect(
      try printed([.text("a\n"), call], ["-q"], isTerminal: true).notes == ["tool call: f({})"])
  }

  @Test func `an attempt that ends with the text is told behind it, and once`() throws {
    let attempt = Attempt(side: .local, failure: .engineLost, status: nil, duration: .seconds(1))
    let events: [AnswerEvent] = [.text("a"), .attempt(attempt)]
    let whole = try printed(events + [.done(answer("a"))], ["-v"])
    #expect(whole.notes.first?.hasPrefix("attempt: local, engineLost") == true)
    var error = HybridError(.interrupted, "the worker is gone")
    error.attempts = [attempt]
    let broken = try printed(events, ["-v"], error: error)
    let told = broken.notes.joined(separator: "\n")
    #expect(told.ranges(of: "attempt:").count == 1)
    #expect(broken.output == "a\n")
    // One of which no event told stands with the error.
    #expect(try printed([], ["-v"], error: error).notes.joined().contains("attempt:"))
  }

  @Test func `what is remarked on an answer comes behind its last line`() throws {
    let parsed = try ArgumentParser(options: Command.ask.options).parse(["--no-local"])
    var printer = AnswerPrinter(
      options: try OutputOptions(parsed),
      appearance: Appearance(
        mode: .never, environment: Environment([:]), outputIsTerminal: false,
        errorIsTerminal: false))
    _ = printer.lines(for: .text("a"))
    let lines = printer.lines(for: .done(answer("a")), remarks: ["not tuned"])
    #expect(lines.output == "\n")
    #expect(lines.notes == ["not tuned"])
  }

  @Test func `tool calls are said on stderr even when quiet`() throws {
    let call = ToolCall(id: "1", name: "look", arguments: #"{"n":1}"#)
    let lines = try printed([.toolCall(call), .done(answer("", finish: .toolCalls))], ["-q"])
    #expect(lines.notes == [#"tool call: look({"n":1})"#])
  }

  @Test func `an error after some text leaves the text whole on its line`() throws {
    let error = HybridError(.interrupted, "it broke", details: ["code": "connection.reset"])
    let lines = try printed([.text("half")], error: error)
    #expect(lines.output == "half\n")
    #expect(lines.notes == ["hybrid ask: it broke [interrupted: connection.reset]"])
    var partial = error
    partial.partialText = "half"
    #expect(try printed([], ["--no-stream"], error: partial).output == "half\n")
    let json = try printed([], ["--json"], error: error)
    #expect(json.output.hasPrefix(#"{"error":{"code":"interrupted","#))
  }

  @Test func `the closing line has the numbers that are known`() {
    let timings = Timings(
      prefill: .milliseconds(100), decode: .seconds(2), firstToken: .milliseconds(180),
      total: .milliseconds(2200))
    let usage = Usage(promptTokens: 42, completionTokens: 65, counted: true)
    #expect(
      ClosingLine.of(answer("a", usage: usage, timings: timings))
        == "ran on: local (m) · reason: – · 42 in / 65 out · TTFT 180 ms · 32.0 tok/s")
    let guess = Usage(promptTokens: nil, completionTokens: 1, counted: false)
    #expect(
      ClosingLine.of(answer("a", finish: .length, usage: guess))
        == "ran on: local (m) · reason: – · ? in / ~1 out · finish: length")
  }

  @Test func `a name from elsewhere moves no cursor`() {
    var answer = answer("a")
    answer.completion.model = "\u{1B}[2Jm\n"
    #expect(ClosingLine.of(answer) == "ran on: local (␛[2Jm␊) · reason: –")
  }
}
