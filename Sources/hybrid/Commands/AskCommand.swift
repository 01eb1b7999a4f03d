internal import HybridCore
internal import HybridKit
internal import HybridRouting

extension Command {
  /// The answer, as it comes.
  static let ask: Command = Command(
    name: "ask", operand: "[PROMPT]",
    summary: "answer a prompt, here or through a gateway",
    examples: [
      Example(line: #"hybrid ask "Why is the sky blue?""#, meaning: "on this machine if it can"),
      Example(
        line: #"git diff | hybrid ask -s "Write a commit message for this diff.""#,
        meaning: "the prompt from a pipe"),
      Example(
        line: #"hybrid ask --gateway https://gateway.example/v1 --prefer remote "Hello""#,
        meaning: "through a gateway, on this machine when it cannot be reached"),
      Example(
        line: #"hybrid ask --only local --json "Hello" | jq -r .text"#,
        meaning: "never over the network, as JSON for a script"),
      Example(
        line: #"hybrid ask --messages chat.json "And in winter?""#,
        meaning: "one more turn of a conversation"),
    ],
    notes: [
      """
      Without PROMPT, or with -, the prompt is read from stdin, as it is. The answer goes to stdout as
      it comes, everything else to stderr. Ctrl-C once stops the answer and keeps what there is of it;
      twice ends at once.
      """,
      """
      --messages takes a JSON array of messages, or an object of messages and tools:
      [{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "Hello"}]
      What spells a special token of the model in any of it, such as <|im_end|>, is plain text.
      """,
    ],
    groups: [.routing, .answering, .gateway, .request, .output],
    run: { invocation throws(HybridError) in
      try await AskCommand(invocation).run()
    })
}

private struct AskCommand {
  let invocation: Invocation
  let options: OutputOptions
  let request: ChatRequest
  let setup: ChatSetup

  init(_ invocation: Invocation) throws(HybridError) {
    self.invocation = invocation
    options = try OutputOptions(invocation.arguments)
    let wanted = try RequestOptions(invocation.arguments)
    setup = try ChatSetup(invocation, for: wanted)
    request = wanted.request(try PromptInput(invocation))
    try request.validate()
  }

  func run() async -> ExitCode {
    invocation.signals.hold()
    var printer = AnswerPrinter(
      options: options, appearance: invocation.console.appearance, choices: request.choices)
    var plan: RoutingPlan?
    let code: ExitCode
    do throws(HybridError) {
      let stream = try await stream()
      plan = stream.plan
      invocation.signals.whenInterrupted { stream.cancel() }
      code = try await follow(stream, &printer)
    } catch {
      code = report(plan.map { setup.detailed(error, $0) } ?? error, printer)
    }
    await setup.close()
    return code
  }

  /// Plans, which a signal may stop too: a long prompt takes its time to be counted.
  private func stream() async throws(HybridError) -> AnswerStream {
    let planning = Task { [chat = setup.chat, request, handsOut = options.streams] in
      do throws(HybridError) {
        return Result<AnswerStream, HybridError>.success(
          try await chat.stream(request, handsOut: handsOut))
      } catch {
        return .failure(error)
      }
    }
    invocation.signals.whenInterrupted { planning.cancel() }
    return try await planning.value.get()
  }

  private func follow(
    _ stream: AnswerStream, _ printer: inout AnswerPrinter
  ) async throws(HybridError) -> ExitCode {
    // Where nobody reads on, nobody needs the rest.
    defer { stream.cancel() }
    var code = ExitCode.done
    for try await event in stream {
      var remarks: [String] = []
      if case .done = event { remarks = [tuningNote, tunedCopyNote].compactMap(\.self) }
      try invocation.console.print(printer.lines(for: event, remarks: remarks))
      if case .done(let answer) = event, answer.completion.isCancelled {
        code = invocation.signals.received?.exitCode ?? .interrupted
      }
    }
    return code
  }

  /// What `--auto-tune` came to: what went wrong in any case, the rest with `-v`.
  private var tuningNote: String? {
    guard let tuning = setup.tuning else { return nil }
    let wasAsked = invocation.arguments.has(.autoTune)
    return TuningNote.text(tuning, wasAsked: wasAsked, options.verbosity)
      .map(invocation.console.appearance.dim)
  }

  /// Whether `--tuned` found a copy: why not in any case, the rest with `-v`.
  private var tunedCopyNote: String? {
    setup.tunedCopy.flatMap { TuningNote.text($0, options.verbosity) }
      .map(invocation.console.appearance.dim)
  }

  private func report(_ error: HybridError, _ printer: AnswerPrinter) -> ExitCode {
    if error.code == .outputClosed { return ExitCode(error) }
    var lines = printer.lines(for: error, command: .ask)
    if error.code == .outputFailed, options.format != .text {
      lines.notes = [ErrorReport.text(error, command: .ask, invocation.console.appearance)]
    }
    // Where stdout fails, stderr can still say so.
    do throws(HybridError) {
      if error.code != .outputFailed { try invocation.console.write(lines.output) }
    } catch  where error.code == .outputClosed {
      return ExitCode(error)
    } catch {}
    for line in lines.notes { invocation.console.note(line) }
    // A worker that did not heed being stopped was ended.
    let isStopped = [.cancelled, .interrupted].contains(error.code)
    let signal = isStopped ? invocation.signals.received : nil
    return signal?.exitCode ?? ExitCode(error)
  }
}
