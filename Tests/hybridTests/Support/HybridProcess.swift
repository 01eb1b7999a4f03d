import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built program, run as a user runs it.
///
/// Waits happen on threads of their own, woken by the kernel: nothing sleeps, and no test blocks the
/// threads that the other tests need.
final class HybridProcess: Sendable {
  /// Options of `ask` with which a model goes on for minutes, however long a test waits for its turn:
  /// nearly any token is as likely as any other.
  static let endlessAnswer = [
    "--temperature", "2", "--top-k", "0", "--top-p", "1", "--min-p", "0", "--seed", "1",
  ]

  enum Input {
    /// Nothing to read.
    case empty
    case bytes([UInt8])
    case text(String)
    /// A pipe that stays open with nothing in it.
    case silent
    case terminal
  }

  enum Output {
    case pipe
    /// A pipe of which one byte is read and then nothing.
    case stuckPipe
    case terminal
    /// The descriptor is closed.
    case closed
    /// A pipe whose reader has gone.
    case readerGone
    case file(String)
  }

  struct Result: Sendable {
    let output: String
    let errors: String
    /// 128 + n where signal n ended it, as a shell has it.
    let status: Int32
  }

  private let process: pid_t
  private let outputReader: Reader
  private let errorReader: Reader
  /// Kept open, so that the other end does not read the end of the file.
  private let keptOpen: [Descriptor]

  /// - Parameters:
  ///   - environment: all that the process sees, beside what it needs to start.
  ///   - program: another one, that starts the program under test.
  init(
    _ arguments: [String], input: Input = .empty, output: Output = .pipe, errors: Output = .pipe,
    environment: [String: String] = [:], program: String = BuiltProgram.path
  ) throws {
    var actions = FileActions()
    var kept: [Descriptor] = []
    switch input {
    case .empty: actions.open("/dev/null", O_RDONLY, as: 0)
    case .bytes(let bytes):
      let file = try Descriptor.temporaryFile(bytes)
      actions.use(file, as: 0)
      kept.append(file)
    case .text(let text):
      let file = try Descriptor.temporaryFile(Array(text.utf8))
      actions.use(file, as: 0)
      kept.append(file)
    case .silent:
      let pipe = try Descriptor.pipe()
      actions.use(pipe.reader, as: 0)
      kept += [pipe.writer, pipe.reader]
    case .terminal:
      let terminal = try Descriptor.terminal()
      actions.use(terminal.inner, as: 0)
      kept += [terminal.outer, terminal.inner]
    }
    let outputEnd = try Self.prepare(output, as: 1, &actions)
    let errorEnd = try Self.prepare(errors, as: 2, &actions)
    process = try actions.spawn(
      program, arguments,
      environment: BuiltProgram.environment.merging(environment) { $1 })
    if case .stuckPipe = output, let outputEnd { kept.append(outputEnd.reader) }
    keptOpen = kept
    // Starting to read closes this process's copies of the writing ends.
    let isStuck = if case .stuckPipe = output { true } else { false }
    outputReader = Reader(outputEnd?.reader, limit: isStuck ? 1 : nil)
    errorReader = Reader(errorEnd?.reader)
  }

  private static func prepare(
    _ output: Output, as number: Int32, _ actions: inout FileActions
  ) throws -> (reader: Descriptor, writer: Descriptor)? {
    switch output {
    case .pipe, .stuckPipe:
      let pipe = try Descriptor.pipe()
      actions.use(pipe.writer, as: number)
      return pipe
    case .terminal:
      let terminal = try Descriptor.terminal()
      actions.use(terminal.inner, as: number)
      return (terminal.outer, terminal.inner)
    case .closed:
      actions.close(number)
      return nil
    case .readerGone:
      let pipe = try Descriptor.pipe()
      actions.use(pipe.writer, as: number)
      return nil
    case .file(let path):
      actions.open(path, O_WRONLY, as: number)
      return nil
    }
  }

  #if os(Linux)
    /// The names of its threads, while it runs.
    func threadNames() -> [String] {
      let folder = "/proc/\(process)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return threads.compactMap { thread in
        try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)
      }
    }
  #endif

  func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Returns once stdout holds what is asked for, or has ended.
  func waitForOutput(_ isEnough: @escaping @Sendable (String) -> Bool) async {
    await outputReader.wait(isEnough)
  }

  /// The same for stderr.
  func waitForErrors(_ isEnough: @escaping @Sendable (String) -> Bool) async {
    await errorReader.wait(isEnough)
  }

  /// Closes stdout's reading end, as `head` does when it has seen enough.
  func stopReading() {
    outputReader.stopReading()
  }

  /// Waits for the end.
  func result() async -> Result {
    let process = process
    let status: Int32 = await onOwnThread {
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
    await outputReader.wait { _ in false }
    await errorReader.wait { _ in false }
    withExtendedLifetime(keptOpen) {}
    return Result(output: outputReader.text, errors: errorReader.text, status: status)
  }

  /// Runs to the end.
  static func run(
    _ arguments: [String], input: Input = .empty, output: Output = .pipe, errors: Output = .pipe,
    environment: [String: String] = [:], program: String = BuiltProgram.path
  ) async throws -> Result {
    try await HybridProcess(
      arguments, input: input, output: output, errors: errors, environment: environment,
      program: program
    ).result()
  }
}

/// Runs a blocking call on a thread that no task needs.
private func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: body()) }
  }
}
