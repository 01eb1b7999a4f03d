import HybridCore
import Testing

@testable import hybrid

/// The model in a process of its own.
@Suite struct IsolatedProcessTests {
  #if LocalLlama
    private func run(_ arguments: String...) async throws -> HybridProcess.Result {
      try await HybridProcess.run(arguments, environment: ["HYBRID_THREADS": "1"])
    }

    @Test func `an isolated answer is that of this process`() async throws {
      let options = ["ask", "--only", "local", "--json", "--temperature", "0", "-n", "8"]
      let isolated = try await HybridProcess.run(
        options + ["--isolated", "Why is the sky blue?"], environment: ["HYBRID_THREADS": "1"])
      let plain = try await HybridProcess.run(
        options + ["Why is the sky blue?"], environment: ["HYBRID_THREADS": "1"])
      #expect(isolated.status == 0, "\(isolated.errors)")
      let (one, other) = (
        try JSONReader().read(isolated.output), try JSONReader().read(plain.output)
      )
      for key in ["text", "ranOn", "model", "finishReason", "usage", "threads", "logProbs"] {
        #expect(one[key] == other[key], "\(key)")
      }
      #expect(one["attempts"]?.array?.count == 1)
    }

    @Test func `a plan asks the worker for state and length`() async throws {
      let result = try await run("plan", "--isolated", "--json", "Why is the sky blue?")
      #expect(result.status == 0, "\(result.errors)")
      let plan = try JSONReader().read(result.output)
      #expect(plan["promptTokens"] == ["count": 36, "counted": true])
      #expect(plan["contextLength"]?.int == 8192)
    }

    @Test func `what is wrong with a file is told as in this process`() async throws {
      let text = try TemporaryFile("This is no model.")
      let isolated = try await run("ask", "--isolated", "--local-model", text.path, "Hi")
      let plain = try await run("ask", "--local-model", text.path, "Hi")
      #expect(isolated.status == 69)
      #expect(isolated.errors == plain.errors)
    }

    @Test func `Ctrl-C at a terminal stops an isolated answer in good order`() async throws {
      let process = try HybridProcess(
        ["ask", "--only", "local", "--isolated", "--jsonl", "Hi"] + HybridProcess.endlessAnswer,
        environment: ["HYBRID_THREADS": "1"])
      await process.waitForOutput { $0.contains(#""event":"delta""#) }
      process.send(SignalNumber.interrupt.rawValue)
      let result = await process.result()
      #expect(result.status == 130)
      let last = try JSONReader().read(
        String(try #require(result.output.split(separator: "\n").last)))
      #expect(last["finishReason"] == "cancelled")
      #expect(last["text"]?.string?.isEmpty == false)
    }
  #endif

  @Test(arguments: [4, 5, 6, 7, 8, 12], ["ask --isolated Hi", "ask Hi", "models", "doctor"])
  func `too few descriptors are named as the cause`(limit: Int, command: String) async throws {
    let result = try await HybridProcess.run(
      ["-c", "ulimit -n \(limit); exec \"$0\" \(command)", BuiltProgram.path], program: "/bin/sh")
    #expect(result.status == 70)
    #expect(result.errors.contains("descriptors"), "\(result.errors)")
    #expect(result.errors.contains("ulimit -n"))
  }

  @Test func `a worker that somebody starts by hand says what it is for`() async throws {
    let result = try await HybridProcess.run(["worker"])
    #expect(result.status == 64)
    #expect(result.errors.contains("a worker is started by the program that wants one"))
  }
}
