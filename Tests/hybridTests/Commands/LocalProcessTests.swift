import HybridCore
import HybridLocal
import HybridTesting
import Testing

@testable import hybrid

#if LocalLlama
  /// The program with the real model. One thread and few tokens: the texts are compared, not the speed.
  @Suite(.serialized) struct LocalProcessTests {
    private func run(
      _ arguments: [String], input: HybridProcess.Input = .empty,
      environment: [String: String] = [:]
    ) async throws -> HybridProcess.Result {
      try await HybridProcess.run(
        arguments, input: input,
        environment: ["HYBRID_THREADS": "1"].merging(environment) { $1 })
    }

    @Test func `a greedy answer is the same by argument, by stdin and in JSON`() async throws {
      let options = ["--only", "local", "-n", "8", "--temperature", "0"]
      let answer = try await run(["ask"] + options + ["Why is the sky blue?"])
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.count > 8)
      let piped = try await run(["ask"] + options, input: .text("Why is the sky blue?"))
      #expect(piped.output == answer.output)
      let json = try JSONReader().read(
        try await run(["ask", "--json"] + options + ["Why is the sky blue?"]).output)
      #expect(json["text"]?.string.map { $0 + "\n" } == answer.output)
      #expect(json["ranOn"] == "local")
      #expect(json["reason"] == .null)
      #expect(json["finishReason"] == "length")
      #expect(json["usage"]?["promptTokens"]?.int == 36)
      #expect(json["usage"]?["completionTokens"]?.int == 8)
      #expect(json["threads"]?["decode"]?.int == 1)
      #expect(json["timings"]?["load"]?.double != nil)
    }

    @Test func `a plan says what the run then counts`() async throws {
      let plan = try JSONReader().read(
        try await run(["plan", "--json", "Why is the sky blue?"]).output)
      #expect(plan["ranOn"] == "local")
      #expect(plan["promptTokens"]?["count"]?.int == 36)
      #expect(plan["promptTokens"]?["counted"]?.bool == true)
      #expect(plan["reservedOutputTokens"]?.int == 512)
      #expect(plan["contextLength"]?.int == 8192)
      #expect(plan["predicted"]?["local"] == .null)
      #expect(plan["estimatedCost"] == .null)
      #expect(plan["counterfactual"]?.string != nil)
    }

    @Test(
      arguments: [
        (["tokens", "Why is the sky blue?"], "", "6\n"), (["tokens"], "", "0\n"),
        (["tokens", "-"], "Why is the sky blue?", "6\n"),
        (
          ["tokens", "--messages", "-"], #"[{"role":"user","content":"Why is the sky blue?"}]"#,
          "36\n"
        ),
        (
          ["tokens", "--messages", "-", "Why is the sky blue?"],
          #"[{"role":"system","content":"a"}]"#, "21\n"
        ),
      ] as [([String], String, String)])
    func `tokens prints one integer`(
      arguments: [String], input: String, output: String
    ) async throws {
      let result = try await run(arguments, input: .text(input))
      #expect(result.output == output, "\(result.errors)")
      #expect(result.status == 0)
    }

    @Test func `a control token in plain text is only text`() async throws {
      let result = try await run(["tokens", "<|im_start|>"])
      #expect(try #require(Int(result.output.dropLast())) > 1)
    }

    @Test func `a prompt too long for the only side is bad data, and says both numbers`()
      async throws
    {
      let long = Array(repeating: "word", count: 600).joined(separator: " ")
      let result = try await run(["ask", "--context", "512", "--json"], input: .text(long))
      #expect(result.status == 65)
      let error = try JSONReader().read(result.output)["error"]
      #expect(error?["details"]?["code"] == "contextTooLong")
      #expect(error?["details"]?["context"]?.int == 512)
      #expect((error?["details"]?["prompt"]?.int).map { $0 > 600 } == true)
    }

    @Test func `a model file that is none is named with what is wrong and what to do`()
      async throws
    {
      let empty = try TemporaryFile("")
      let text = try TemporaryFile("This is no model.")
      let cut = try TemporaryFile("GGUF\u{3}\u{0}\u{0}\u{0}")
      for (path, message) in [
        ("/no/such.gguf", "missing"), ("/tmp", "folder"), (empty.path, "empty"),
        (text.path, "not a GGUF file"), (cut.path, "[noSide: modelFailed]"),
      ] {
        let result = try await run(["ask", "--local-model", path, "Hi"])
        #expect(result.status == 69, "\(path): \(result.errors)")
        #expect(result.errors.contains(message), "\(path): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 2)
        let tokens = try await run(["tokens", "--local-model", path, "Hi"])
        #expect(tokens.status == 69, "\(path): \(tokens.errors)")
      }
    }

    @Test func `a failing gateway is replaced before the first token, and the answer says so`()
      async throws
    {
      let gateway = try LoopbackGateway { _ in [GatewayAnswers.error(401, "invalid_api_key")] }
      let result = try await run([
        "ask", "--gateway", gateway.baseURL, "--prefer", "remote", "-n", "4", "-v", "Hi",
      ])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("remoteFailed (authentication); asking local"))
      #expect(result.errors.contains("reason: remoteFailed (authentication)"))
    }

    @Test func `without streaming a gateway that breaks off in its answer is replaced too`()
      async throws
    {
      let gateway = try LoopbackGateway { _ in
        [.streamHead(), GatewayAnswers.delta("Hel"), .close]
      }
      let options = ["--gateway", gateway.baseURL, "--prefer", "remote", "-n", "4", "Hi"]
      let whole = try await run(["ask", "--json"] + options)
      #expect(try JSONReader().read(whole.output)["ranOn"] == "local")
      let streamed = try await run(["ask"] + options)
      #expect(streamed.output == "Hel\n")
      #expect(streamed.status == 69)
    }

    @Test func `Ctrl-C stops the engine within a token`() async throws {
      let process = try HybridProcess(
        ["ask", "--only", "local", "--jsonl", "Hi"] + HybridProcess.endlessAnswer,
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

    @Test func `doctor has every number with where it comes from`() async throws {
      let result = try await run(["doctor", "--json"])
      #expect(result.status == 0, "\(result.errors)")
      let report = try JSONReader().read(result.output)
      #expect(report["versions"]?["llama.cpp"]?.string?.hasPrefix("0.5") == true)
      #expect(report["localModel"]?["architecture"] == "llama")
      #expect(report["localModel"]?["usable"]?.bool == true)
      #expect(report["threads"]?["decode"] == ["count": 1, "source": "HYBRID_THREADS"])
      #expect(report["memory"]?["available"]?.int != nil)
      #expect(report["gateway"] == .null)
      #expect(report["problems"]?.array?.isEmpty == true)
    }

    @Test func `auto-tune gives an answer whatever becomes of the store`() async throws {
      let file = try TemporaryFile("")
      // A folder below a file cannot be made.
      let options = [
        "ask", "--only", "local", "-n", "2", "--context", "256", "--auto-tune", "-v", "Hi",
      ]
      let answer = try await HybridProcess.run(
        options, environment: ["XDG_CACHE_HOME": file.path])
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(!answer.output.isEmpty)
      // Where the machine is busy with other work or has one CPU, nothing is measured.
      let machine = Machine.current
      if machine.cpuBudget().logicalCPUs > 1 {
        #expect(
          answer.errors.contains("\(file.path)/hybridkit/threads.json cannot be written")
            || answer.errors.contains("other work took"), "\(answer.errors)")
      }
      let set = try await run(options, environment: ["XDG_CACHE_HOME": file.path])
      #expect(set.status == 0)
      #expect(set.errors.contains("threads 1 / 1"), "\(set.errors)")
    }

    @Test func `threads follow the load unless they are set`() async throws {
      let doctor = try await HybridProcess.run(["doctor", "--json"])
      let report = try JSONReader().read(doctor.output)
      let isAlone = report["threads"]?["prefill"]?["count"] == 1
      #expect(report["threads"]?["controller"]?["on"]?.bool == !isAlone)
    }

    @Test func `models lists the default one first, and where it looked`() async throws {
      let result = try await run(["models"])
      #expect(result.output.hasPrefix("SmolLM2-135M-Instruct.Q4_1 (default)\n"))
      #expect(result.output.contains("Looked in, in this order:"))
      let elsewhere = try await run(
        ["models"], environment: ["PREFIX": "/nowhere", "HOME": "/nowhere"])
      #expect(elsewhere.output.hasPrefix("No model file is found."))
      let ask = try await run(
        ["ask", "Hi"], environment: ["PREFIX": "/nowhere", "HOME": "/nowhere"])
      #expect(ask.status == 69)
      let doctor = try await run(
        ["doctor"], environment: ["PREFIX": "/nowhere", "HOME": "/nowhere"])
      #expect(doctor.status == 69)
      #expect(doctor.output.contains("Run Fixtures/bootstrap"))
    }
  }
#endif
