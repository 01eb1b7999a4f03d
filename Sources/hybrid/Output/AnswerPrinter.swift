internal import HybridCore
internal import HybridKit
internal import HybridRouting

/// What one event of an answer puts on stdout and on stderr.
///
/// Decides only; ``Console`` writes. So that what a pipe and a terminal get can be compared as text.
struct AnswerPrinter: Sendable {
  struct Lines: Sendable, Hashable {
    var output = ""
    /// Without their line ends.
    var notes: [String] = []
  }

  let options: OutputOptions
  let appearance: Appearance
  /// Answers asked for. Only the first is printed as it comes: text of several would come mixed.
  let choices: Int

  /// Text that was printed, as far as the next line has to know it.
  private var hasText = false
  private var endsLine = true
  /// Attempts that were told as they ended.
  private var toldAttempts = 0
  /// What came while a line of text was open, and can wait for its end.
  private var held: [String] = []

  init(options: OutputOptions, appearance: Appearance, choices: Int = 1) {
    self.options = options
    self.appearance = appearance
    self.choices = choices
  }

  /// - Parameter remarks: on an answer that is done, for stderr.
  mutating func lines(for event: AnswerEvent, remarks: [String] = []) -> Lines {
    var lines: Lines
    switch options.format {
    case .text: return textLines(for: event, remarks)
    case .json: lines = jsonLines(for: event)
    case .jsonLines: lines = Lines(output: line(event.json))
    }
    lines.notes = remarks
    return lines
  }

  /// What ends the output when the answer does not come, or breaks off.
  func lines(for error: HybridError, command: Command?) -> Lines {
    switch options.format {
    case .text:
      // What was not shown as it came is shown as far as it came.
      let text = options.streams ? "" : error.partialText ?? ""
      var lines = Lines(output: text + lineEnd(after: text))
      var rest = error
      rest.attempts.removeFirst(min(toldAttempts, rest.attempts.count))
      lines.notes =
        held + [
          ErrorReport.text(rest, command: command, isVerbose: isVerbose, appearance)
        ]
      return lines
    case .json:
      return Lines(output: line(["error": error.json]))
    case .jsonLines:
      return Lines(output: line(ErrorReport.event(error)))
    }
  }

  // MARK: Text

  private mutating func textLines(for event: AnswerEvent, _ remarks: [String]) -> Lines {
    var lines = Lines()
    let isOpen = hasText && !endsLine
    switch event {
    case .plan(let plan):
      if isVerbose { lines.notes = [note(PlanReport.summary(plan))] }
    case .attempt(let attempt):
      guard isVerbose else { break }
      toldAttempts += 1
      if isOpen {
        held.append(note(ErrorReport.attempt(attempt)))
      } else {
        lines.notes = [note(ErrorReport.attempt(attempt))]
      }
    case .fallback(_, let to, let reason):
      if tells { lines.notes = [note("\(ClosingLine.reason(reason)); asking \(to.rawValue)")] }
    case .text(let text):
      lines.output = (hasText ? "" : heading(0)) + shown(text)
    case .logProbs(let tokens):
      if isVerbose { lines.notes = tokens.map { note(Self.summary($0)) } }
    case .reasoning(let text):
      // Whole lines would make it wait; it is only shown to who asked for everything.
      if isVerbose { lines.notes = [note(text)] }
    case .toolCall(let call):
      lines.notes = [shownNote("tool call: \(call.name)(\(call.arguments))")]
    case .choice(let choice, .logProbs(let tokens)):
      if isVerbose {
        lines.notes = tokens.map { note("choice \(choice + 1): \(Self.summary($0))") }
      }
    case .choice(let choice, .toolCall(let call)):
      lines.notes = [
        shownNote("choice \(choice + 1): tool call: \(call.name)(\(call.arguments))")
      ]
    case .choice: break
    case .done(let answer):
      lines.output = (hasText ? "" : heading(0)) + lineEnd(after: "")
      for (place, choice) in answer.otherChoices.enumerated() {
        lines.output += heading(place + 1) + shown(choice.text) + lineEnd(after: choice.text)
      }
      lines.notes = held + remarks
      if options.verbosity != .quiet { lines.notes += Self.remarks(on: answer, appearance) }
      if isVerbose { lines.notes += TimingLine.of(answer).map { [appearance.dim($0)] } ?? [] }
      if tells { lines.notes.append(appearance.dim(ClosingLine.of(answer))) }
      return lines
    }
    // On one screen a note would go on where the answer stopped.
    if isOpen, !lines.notes.isEmpty, appearance.outputIsTerminal, appearance.errorIsTerminal {
      lines.notes[0] = "\n" + lines.notes[0]
      endsLine = true
    }
    return lines
  }

  /// `"sky" -0.02; also "ocean" -4.10`.
  private static func summary(_ token: TokenLogProb) -> String {
    func told(_ text: String, _ logProb: Double) -> String {
      let name = JSONWriter.compact.string(.string(text))
      // A gateway may send any number.
      guard let hundredths = Int(exactly: (logProb * 100).rounded()) else {
        return "\(name) \(logProb)"
      }
      let digits = String(hundredths.magnitude % 100)
      let sign = hundredths < 0 ? "-" : ""
      return name
        + " \(sign)\(hundredths.magnitude / 100).\(digits.count < 2 ? "0" : "")\(digits)"
    }
    let others = token.alternatives.filter { $0.text != token.text }
    let rest = others.map { told($0.text, $0.logProb) }.joined(separator: ", ")
    return told(token.text, token.logProb) + (rest.isEmpty ? "" : "; also \(rest)")
  }

  /// Where a choice begins; nothing where there is only one.
  private func heading(_ choice: Int) -> String {
    choices > 1 ? "--- choice \(choice + 1) of \(choices) ---\n" : ""
  }

  /// What keeps a cut answer from looking complete.
  private static func remarks(on answer: Answer, _ appearance: Appearance) -> [String] {
    let choices = answer.choices
    let remarks = choices.map { remark(on: $0.finishReason) }
    guard choices.count > 1 else { return remarks.compactMap { $0.map(appearance.yellow) } }
    return remarks.enumerated().compactMap { place, remark in
      remark.map { appearance.yellow("choice \(place + 1): \($0)") }
    }
  }

  private static func remark(on reason: FinishReason) -> String? {
    switch reason {
    case .cancelled: "interrupted: the answer is not complete"
    case .length: "cut off at the most tokens allowed; --max-tokens sets that"
    case .contextFull: "cut off: the context is full; --context sets its length"
    case .contentFilter: "cut off by the gateway's content filter"
    default: nil
    }
  }

  private mutating func shown(_ text: String) -> String {
    guard let last = text.last else { return "" }
    hasText = true
    endsLine = last.isNewline
    return appearance.outputIsTerminal ? TerminalText.harmless(text) : text
  }

  /// A shell's prompt, and a file's last line, want an ended line.
  private func lineEnd(after text: String) -> String {
    if let last = text.last { return last.isNewline ? "" : "\n" }
    return hasText && !endsLine ? "\n" : ""
  }

  private func note(_ text: String) -> String { appearance.dim(shownNote(text)) }

  private func shownNote(_ text: String) -> String {
    appearance.errorIsTerminal ? TerminalText.harmless(text) : text
  }

  private var isVerbose: Bool { options.verbosity == .verbose }

  /// Whether stderr says where the answer came from.
  private var tells: Bool {
    isVerbose || (options.verbosity == .normal && appearance.errorIsTerminal)
  }

  // MARK: JSON

  private func jsonLines(for event: AnswerEvent) -> Lines {
    if case .done(let answer) = event { Lines(output: line(answer.json)) } else { Lines() }
  }

  private func line(_ value: JSONValue) -> String {
    JSONOutput.line(value, isTerminal: appearance.outputIsTerminal)
  }
}

extension AnswerEvent {
  /// The event as one line of `--jsonl`.
  var json: JSONValue {
    switch self {
    case .plan(let plan): plan.json.asEvent("plan")
    case .attempt(let attempt): attempt.json.asEvent("attempt")
    case .fallback(let from, let to, let reason):
      [
        "event": "fallback", "from": .string(from.rawValue), "to": .string(to.rawValue),
        "reason": reason.json,
      ]
    case .text(let text): ["event": "delta", "text": .string(text)]
    case .logProbs(let tokens):
      ["event": "logProbs", "tokens": .array(tokens.map(\.json))]
    case .reasoning(let text): ["event": "reasoning", "text": .string(text)]
    case .toolCall(let call): call.json.asEvent("toolCall")
    case .choice(let choice, let piece): AnswerEvent.json(piece, of: choice)
    case .done(let answer): answer.json.asEvent("done")
    }
  }

  /// The event of a first choice's piece, and whose it is.
  private static func json(_ piece: OutputPiece, of choice: Int) -> JSONValue {
    let event: AnswerEvent =
      switch piece {
      case .text(let text): .text(text)
      case .logProbs(let tokens): .logProbs(tokens)
      case .reasoning(let text): .reasoning(text)
      case .toolCall(let call): .toolCall(call)
      }
    var object = event.json.object ?? [:]
    object["choice"] = .int(choice)
    return .object(object)
  }
}

extension JSONValue {
  /// An object's members after the event's name.
  func asEvent(_ name: String) -> JSONValue {
    var event: JSONObject = ["event": .string(name)]
    for member in object?.members ?? [] { event[member.key] = member.value }
    return .object(event)
  }
}
