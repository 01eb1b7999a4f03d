internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The command line tool.
@main
struct HybridTool {
  let environment: Environment
  let signals: SignalWatch
  let closedStreams: Set<StandardStream>

  static func main() {
    LocalSetup.runIfWorker()
    let closedStreams = StandardStream.fillGaps()
    let problem = DescriptorRoom.problem()
    // Before anything starts a thread.
    let signals = SignalWatch()
    let tool = HybridTool(
      environment: .current(), signals: signals, closedStreams: closedStreams)
    // On this thread, which has all that it needs.
    if let problem {
      _exit(tool.report(problem, command: nil, arguments: ProgramArguments.guessed).rawValue)
    }
    // The main thread is the main actor's, and it only waits.
    Task.detached {
      let code = await tool.run()
      // Nothing of this program waits for the end in exit handlers, and a thread that a deadline left
      // at work must not meet them.
      _exit(code.rawValue)
    }
    signals.wait()
  }

  func run() async -> ExitCode {
    do throws(HybridError) {
      return try await run(ProgramArguments.read())
    } catch {
      return report(error, command: nil, arguments: ProgramArguments.guessed)
    }
  }

  private func run(_ arguments: [String]) async throws(HybridError) -> ExitCode {
    let console = Console(appearance: appearance(.auto))
    guard let first = arguments.first else {
      throw .usage("no command", nextStep: "see hybrid --help")
    }
    switch first {
    case "help" where arguments.count > 1:
      try console.write(HelpText.of(Command.named(arguments[1])))
      return .done
    case "--help", "-h", "help":
      try console.write(HelpText.overview)
      return .done
    case "--version":
      try console.write(Versions.current.text)
      return .done
    default: break
    }
    let command: Command
    do throws(HybridError) {
      command = try Command.named(first)
    } catch {
      return report(error, command: nil, arguments: arguments)
    }
    do throws(HybridError) {
      return try await run(command, Array(arguments.dropFirst()))
    } catch {
      return report(error, command: command, arguments: arguments)
    }
  }

  private func run(_ command: Command, _ arguments: [String]) async throws(HybridError) -> ExitCode
  {
    let parsed = try ArgumentParser(options: command.options).parse(arguments)
    let color: ColorMode = try parsed.word(.color) ?? .auto
    let console = Console(appearance: appearance(color))
    if parsed.has(.help) {
      try console.write(HelpText.of(command))
      return .done
    }
    if closedStreams.contains(.output) {
      throw HybridError(
        .outputFailed, "stdout is closed, so the answer would reach nobody",
        nextStep: "redirect it to a file or to /dev/null")
    }
    return try await command.run(
      Invocation(
        arguments: parsed, environment: environment, console: console, signals: signals))
  }

  /// Prints an error in the form that the arguments ask for, as far as they can be understood.
  private func report(
    _ error: HybridError, command: Command?, arguments: [String]
  ) -> ExitCode {
    if error.code == .outputClosed { return .outputClosed }
    var error = error
    if error.code == .cancelled, let signal = signals.received {
      error.message = "\(signal.word): \(error.message)"
    }
    let options = OutputOptions(guessedFrom: arguments)
    let appearance = appearance(options.color)
    var lines = AnswerPrinter(options: options, appearance: appearance)
      .lines(for: error, command: command)
    // Who wrote the command line, or pressed Ctrl-C, reads stderr, whoever reads stdout.
    if [.usage, .outputFailed, .cancelled].contains(error.code), options.format != .text {
      lines.notes = [ErrorReport.text(error, command: command, appearance)]
    }
    // Stdout, which fails, would keep stderr from being told.
    if error.code == .outputFailed { lines.output = "" }
    // Where stdout fails too, its closing is the lesser news.
    try? Console(appearance: appearance).print(lines)
    let signal = error.code == .cancelled ? signals.received : nil
    return signal?.exitCode ?? ExitCode(error)
  }

  private func appearance(_ color: ColorMode) -> Appearance {
    Appearance(
      mode: color, environment: environment,
      outputIsTerminal: StandardStream.output.isTerminal,
      errorIsTerminal: StandardStream.error.isTerminal)
  }
}

/// The program's arguments as the system handed them over.
enum ProgramArguments {
  /// - Throws: `invalidText` for one that is not UTF-8, which would be changed without a word
  ///   otherwise.
  static func read() throws(HybridError) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = unsafe bytes(of: index) else { continue }
      try unsafe arguments.append(TextInput.decode(bytes, name: "argument \(index)"))
    }
    return arguments
  }

  /// What can be read of them, to tell in which form an error is wanted.
  static var guessed: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe bytes(of: index).map { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func bytes(of index: Int) -> UnsafeRawBufferPointer? {
    unsafe CommandLine.unsafeArgv[index].map { argument in
      unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument))
    }
  }
}
