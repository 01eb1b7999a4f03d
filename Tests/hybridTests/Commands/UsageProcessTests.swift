import HybridCore
import Testing

@testable import hybrid

/// The program as a shell sees it, as far as it needs no model.
@Suite struct UsageProcessTests {
  @Test(
    arguments: [
      ([], 64, "no command"),
      (["bench"], 64, "unknown command 'bench'"),
      (["aks"], 64, "Did you mean ask?"),
      (["--json"], 64, "stands where a command is expected"),
      (["ask", "--no-such"], 64, "unknown option '--no-such'"),
      (["ask", "--temperature", "9", "Hi"], 64, "Give a number from 0 up to 2"),
      (["ask", "--prefer", "both", "Hi"], 64, "Give local or remote"),
      (["ask", "--prefer", "local", "--only", "local", "Hi"], 64, "contradict each other"),
      (["ask", "--json", "--jsonl", "Hi"], 64, "contradict each other"),
      (["ask", "--color", "sometimes", "Hi"], 64, "auto or always or never"),
      (["ask", "--gateway", "", "Hi"], 64, "--gateway is empty"),
      (["ask", "one", "two"], 64, "Put quotation marks around the whole PROMPT"),
      (["ask", ""], 65, "the prompt is empty"),
      (["ask", "  \n"], 65, "the prompt is empty"),
      (["plan", ""], 65, "the prompt is empty"),
      (["ask", "--messages", "no-such-file.json"], 65, "No such file"),
      (["ask", "--messages", "/"], 65, "Is a directory"),
      (["ask", "--messages", "-", "-"], 64, "cannot both be stdin"),
      (["ask", "--policy", "no-such-file.json", "Hi"], 78, "No such file"),
      (["explain"], 64, "no code"),
      (["explain", "contextTooLnog"], 64, "Did you mean contextTooLong?"),
      (["explain", "999"], 64, "no HTTP status"),
      (["ask", "--no-local", "Hi"], 69, "noSide"),
      (["ask", "--no-local", "--only", "local", "Hi"], 69, "localRequired"),
      (["ask", "--no-local", "--only", "remote", "Hi"], 69, "remoteUnavailable"),
      (["plan", "--no-local", "Hi"], 69, ""),
    ] as [([String], Int32, String)])
  func `bad arguments end with their code and say what is wrong`(
    arguments: [String], status: Int32, message: String
  ) async throws {
    let result = try await HybridProcess.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty || arguments.contains { ["plan", "--json"].contains($0) })
    if status == 64 { #expect(result.errors.contains("Usage: hybrid")) }
  }

  @Test func `with stdin a terminal and no prompt the usage line comes at once`() async throws {
    let result = try await HybridProcess.run(["ask"], input: .terminal)
    #expect(result.status == 64)
    #expect(result.errors.contains("Usage: hybrid ask [options] [PROMPT]"))
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "byte 1"), ([], "the prompt is empty"), ([0x0A], "the prompt is empty"),
    ] as [([UInt8], String)])
  func `stdin that is no prompt is bad data`(bytes: [UInt8], message: String) async throws {
    for arguments in [["ask", "--no-local"], ["ask", "--no-local", "-"], ["plan", "-"]] {
      let result = try await HybridProcess.run(arguments, input: .bytes(bytes))
      #expect(result.status == 65)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test func `an error in JSON is one object on stdout`() async throws {
    for arguments in [["ask", "--json", "--no-local", "Hi"], ["ask", "--json", "--no-such"]] {
      let result = try await HybridProcess.run(arguments)
      let error = try #require(try JSONReader().read(result.output)["error"])
      #expect(error["code"]?.string != nil)
      #expect(error["message"]?.string != nil)
      #expect(error["details"] != nil && error["attempts"] != nil)
      #expect(result.errors.isEmpty == (error["code"] != "usage"))
    }
  }

  @Test func `the last line of JSON lines is the error`() async throws {
    let result = try await HybridProcess.run(["ask", "--jsonl", "--no-local", "Hi"])
    let lines = try result.output.split(separator: "\n").map { try JSONReader().read(String($0)) }
    #expect(lines.map { $0["event"]?.string } == ["plan", "error"])
    #expect(lines.last?["code"]?.string == "noSide")
    #expect(lines.last?["error"]?["details"]?["code"]?.string == "noLocalModel")
    #expect(result.status == 69)
  }

  @Test func `a closed stdout is an error before anything runs`() async throws {
    let result = try await HybridProcess.run(["ask", "--no-local", "Hi"], output: .closed)
    #expect(result.status == 1)
    #expect(result.errors.contains("stdout is closed"))
  }

  @Test func `a reader that has gone ends the program in silence`() async throws {
    let result = try await HybridProcess.run(["--help"], output: .readerGone)
    #expect(result.status == 141)
    #expect(result.errors.isEmpty)
  }

  @Test func `a full disk is said on stderr`() async throws {
    let result = try await HybridProcess.run(["--help"], output: .file("/dev/full"))
    #expect(result.status == 1)
    #expect(result.errors.contains("No space left on device"))
  }

  @Test func `a stderr that nobody reads changes nothing`() async throws {
    let result = try await HybridProcess.run(["ask", "--no-local", "Hi"], errors: .readerGone)
    #expect(result.status == 69)
  }

  @Test(arguments: [(SignalNumber.interrupt, 130), (.terminate, 143)] as [(SignalNumber, Int32)])
  func `a signal while the prompt is awaited ends the program at once`(
    signal: SignalNumber, status: Int32
  ) async throws {
    // Nothing ever comes from stdin, so only the signal can end it.
    let process = try HybridProcess(["ask", "--no-local"], input: .silent)
    process.send(signal.rawValue)
    #expect(await process.result().status == status)
  }
}

enum SignalNumber: Int32 {
  case interrupt = 2
  case terminate = 15
}
