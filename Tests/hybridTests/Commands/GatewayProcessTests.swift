import HybridCore
import HybridTesting
import Testing

@testable import hybrid

/// The program against a gateway that does what its script says.
@Suite struct GatewayProcessTests {
  private func ask(
    _ gateway: LoopbackGateway, _ arguments: [String] = [], prompt: [String] = ["Hi"],
    output: HybridProcess.Output = .pipe, errors: HybridProcess.Output = .pipe,
    environment: [String: String] = [:]
  ) throws -> HybridProcess {
    try HybridProcess(
      gateway.ask + arguments + prompt, output: output, errors: errors, environment: environment)
  }

  // MARK: What is printed

  @Test func `the answer goes to stdout and ends its line, and stderr stays empty`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello", ", you"]) }
    let result = try await ask(gateway).result()
    #expect(result.output == "Hello, you\n")
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
  }

  @Test func `an answer that ends its line gets no second end`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["One\n"]) }
    #expect(try await ask(gateway).result().output == "One\n")
  }

  @Test func `each piece is out before the next one is sent`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), GatewayAnswers.delta("first"), .waitForSignal]
        + GatewayAnswers.text([" second"]).dropFirst()
    }
    let process = try ask(gateway)
    await process.waitForOutput { $0 == "first" }
    gateway.signal()
    #expect(await process.result().output == "first second\n")
  }

  @Test func `without streaming nothing is printed before the end`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["one", " two"]) }
    #expect(try await ask(gateway, ["--no-stream"]).result().output == "one two\n")
  }

  @Test func `a closing line on stderr says where it ran, why and what it took`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let result = try await ask(gateway, ["-v"]).result()
    let line = try #require(result.errors.split(separator: "\n").last)
    #expect(line.hasPrefix("ran on: remote (served) · reason: noLocalModel · 7 in / 3 out · TTFT "))
  }

  @Test func `on a terminal the closing line comes by itself, and quiet keeps it away`()
    async throws
  {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let loud = try await ask(gateway, errors: .terminal, environment: ["TERM": "xterm"]).result()
    #expect(loud.errors.contains("\u{1B}[2mran on: remote"))
    let plain = try await ask(
      gateway, errors: .terminal, environment: ["TERM": "xterm", "NO_COLOR": "1"]
    ).result()
    #expect(plain.errors.contains("ran on: remote") && !plain.errors.contains("\u{1B}"))
    let never = try await ask(gateway, ["--color", "never"], errors: .terminal).result()
    #expect(never.errors.contains("ran on: remote") && !never.errors.contains("\u{1B}"))
    #expect(try await ask(gateway, ["-q"], errors: .terminal).result().errors.isEmpty)
  }

  @Test func `a terminal gets no escape sequence of the model's, and a pipe gets every byte`()
    async throws
  {
    let text = "a\u{1B}]0;title\u{7}b\u{9B}31m\tc\n"
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text([text]) }
    #expect(try await ask(gateway).result().output == text)
    let shown = try await ask(gateway, output: .terminal).result().output
    #expect(shown == "a␛]0;title␇b\u{FFFD}31m\tc\n")
    let json = try await ask(gateway, ["--json"], output: .terminal).result().output
    #expect(!json.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
    #expect(try JSONReader().read(json)["text"]?.string == text)
  }

  @Test func `JSON is the contract's one object`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let result = try await ask(gateway, ["--json"]).result()
    #expect(result.output.split(separator: "\n").count == 1)
    let answer = try JSONReader().read(result.output)
    #expect(answer["text"]?.string == "Hello")
    #expect(answer["ranOn"]?.string == "remote")
    #expect(answer["reason"]?["code"]?.string == "noLocalModel")
    #expect(answer["model"]?.string == "served")
    #expect(answer["finishReason"]?.string == "stop")
    #expect(answer["usage"]?["promptTokens"]?.int == 7)
    #expect(answer["usage"]?["counted"]?.bool == true)
    #expect(answer["timings"]?["prefill"] == .null)
    #expect(answer["timings"]?["total"]?.double != nil)
    #expect(answer["attempts"]?.array?.first?["outcome"]?.string == "ok")
    #expect(answer["plan"]?["ranOn"]?.string == "remote")
  }

  @Test func `JSON lines are a plan, the pieces, and what JSON prints`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hel", "lo"]) }
    let result = try await ask(gateway, ["--jsonl"]).result()
    let events = try result.output.split(separator: "\n").map { try JSONReader().read(String($0)) }
    #expect(events.first?["event"]?.string == "plan")
    let pieces = events.filter { $0["event"] == "delta" }.compactMap { $0["text"]?.string }
    #expect(pieces == ["Hel", "lo"])
    #expect(events.contains { $0["event"] == "attempt" && $0["side"] == "remote" })
    #expect(events.last?["event"]?.string == "done")
    #expect(events.last?["text"]?.string == "Hello")
  }

  @Test func `several choices that come mixed are printed one below the other`() async throws {
    let gateway = try LoopbackGateway { _ in
      [
        .streamHead(), GatewayAnswers.delta("Gu", choice: 1), GatewayAnswers.delta("Hel"),
        GatewayAnswers.delta("ten Tag", choice: 1), GatewayAnswers.delta("lo"),
        GatewayAnswers.end("length", choice: 1), GatewayAnswers.end("stop"), .event("[DONE]"),
        .close,
      ]
    }
    let result = try await ask(gateway, ["--choices", "2"]).result()
    #expect(
      result.output == "--- choice 1 of 2 ---\nHello\n--- choice 2 of 2 ---\nGuten Tag\n")
    #expect(result.errors.hasPrefix("choice 2: cut off"))
    let sent = try JSONReader().read(try #require(gateway.requests.first).body)
    #expect(sent["n"]?.int == 2)
    let answer = try JSONReader().read(
      try await ask(gateway, ["--choices", "2", "--json"]).result().output)
    #expect(answer["text"]?.string == "Hello")
    #expect(answer["otherChoices"]?.array?.map { $0["text"] } == ["Guten Tag"])
    #expect(answer["otherChoices"]?.array?.map { $0["finishReason"] } == ["length"])
    // The same gateway asked for more than it gives.
    let few = try await ask(gateway, ["--choices", "3", "--no-stream"]).result()
    #expect(few.status == 69)
    #expect(few.errors.contains("2 of the 3 choices"))
    #expect(try await ask(gateway, ["--choices", "129"]).result().status == 64)
  }

  @Test func `an answer that was cut off says so on stderr`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hel"], finish: "length") }
    let result = try await ask(gateway).result()
    #expect(result.output == "Hel\n")
    #expect(result.errors.contains("cut off"))
    #expect(result.status == 0)
  }

  @Test func `a disk that is full in the middle of the answer is said on stderr`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hel", "lo"]) }
    let result = try await ask(gateway, output: .file("/dev/full")).result()
    #expect(result.status == 1)
    #expect(result.errors.contains("No space left on device"), "\(result.errors)")
  }

  // MARK: What is sent

  @Test func `options become the request's fields`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let options = [
      "-s", "Be brief.", "-n", "9", "--temperature", "0.5", "--top-p", "0.9", "--seed", "7",
      "--stop", "END", "--stop", "###", "--model", "big",
    ]
    _ = try await ask(gateway, options).result()
    let body = try JSONReader().read(try #require(gateway.requests.first).body)
    #expect(body["model"]?.string == "big")
    #expect(body["messages"]?.array?.map { $0["role"]?.string } == ["system", "user"])
    #expect(body["max_tokens"]?.int == 9)
    #expect(body["temperature"]?.double == 0.5)
    #expect(body["top_p"]?.double == 0.9)
    #expect(body["seed"]?.int == 7)
    #expect(body["stop"] == ["END", "###"])
  }

  @Test func `the prompt comes from stdin as it is`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    for operand in [[], ["-"]] {
      let result = try await HybridProcess.run(
        ["ask", "--no-local"] + operand, input: .text("Grüße\n👩‍👩‍👧\n"),
        environment: ["HYBRID_GATEWAY": gateway.baseURL])
      #expect(result.status == 0, "\(result.errors)")
      let request = try #require(gateway.requests.last)
      let message = try JSONReader().read(request.body)["messages"]?.array?.last
      #expect(message?["content"]?.string == "Grüße\n👩‍👩‍👧\n")
    }
  }

  @Test func `a conversation from a file is followed by the prompt`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let conversation = #"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#
    let result = try await HybridProcess.run(
      ["ask", "--no-local", "--messages", "-", "c"], input: .text(conversation),
      environment: ["HYBRID_GATEWAY": gateway.baseURL])
    #expect(result.status == 0, "\(result.errors)")
    let body = try JSONReader().read(try #require(gateway.requests.first).body)
    #expect(body["messages"]?.array?.map { $0["content"]?.string } == ["a", "b", "c"])
  }

  @Test func `a system message is given once`() async throws {
    let conversation = #"[{"role":"system","content":"a"},{"role":"user","content":"b"}]"#
    let result = try await HybridProcess.run(
      ["ask", "--no-local", "--messages", "-", "-s", "c"], input: .text(conversation))
    #expect(result.status == 64)
  }

  @Test func `a key goes only to the gateway that it is named for`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    _ = try await ask(gateway, environment: ["OPENAI_API_KEY": "sk-secret"]).result()
    #expect(gateway.requests.last?.header("Authorization") == nil)
    let result = try await HybridProcess.run(
      ["ask", "--no-local", "Hi"],
      environment: ["OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": gateway.baseURL])
    #expect(result.status == 0)
    #expect(gateway.requests.last?.header("Authorization") == "Bearer sk-secret")
  }

  @Test func `local only sends nothing`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let result = try await ask(gateway, ["--only", "local"]).result()
    #expect(result.status == 69)
    let tagged = try await ask(gateway, ["--tag", "health"]).result()
    #expect(tagged.status == 69)
    #expect(gateway.connections == 0)
  }

  @Test func `a plan sends nothing`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let result = try await HybridProcess.run(
      ["plan", "--json", "--no-local", "--gateway", gateway.baseURL, "Hi"])
    #expect(result.status == 0)
    #expect(try JSONReader().read(result.output)["ranOn"]?.string == "remote")
    #expect(gateway.connections == 0)
  }

  // MARK: What fails

  @Test(
    arguments: [
      (400, "invalid_request_error", 65, "invalidRequest"),
      (400, "context_length_exceeded", 65, "contextLength"),
      (401, "invalid_api_key", 77, "authentication"), (403, "forbidden", 77, "permission"),
      (404, "model_not_found", 69, "notFound"), (413, "too_large", 65, "payloadTooLarge"),
      (402, "billing", 69, "paymentRequired"), (429, "insufficient_quota", 69, "quotaExhausted"),
      (302, "moved", 69, "redirectRefused"),
    ] as [(Int, String, Int32, String)])
  func `a gateway's refusal ends with its code`(
    status: Int, code: String, exitCode: Int32, expected: String
  ) async throws {
    let gateway = try LoopbackGateway { _ in [GatewayAnswers.error(status, code)] }
    let result = try await ask(gateway, ["--json"]).result()
    #expect(result.status == exitCode, "\(result.output)")
    let error = try #require(try JSONReader().read(result.output)["error"])
    let cause = error["details"]?["code"]?.string ?? error["code"]?.string
    #expect(cause == expected || error["code"]?.string == expected, "\(result.output)")
  }

  @Test func `a gateway that is not there is unavailable`() async throws {
    let gateway = try LoopbackGateway { _ in [] }
    gateway.stop()
    let result = try await ask(gateway, ["--deadline", "20"]).result()
    #expect(result.status == 69, "\(result.errors)")
    #expect(result.errors.contains("connection.refused"), "\(result.errors)")
  }

  @Test func `a page that is no answer is unavailable`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.response(200, "<html>sign in</html>", type: "text/html")]
    }
    let result = try await ask(gateway).result()
    #expect(result.status == 69)
    #expect(result.errors.contains("protocol.wrongContentType"), "\(result.errors)")
  }

  @Test func `an answer that breaks off keeps its text and is no success`() async throws {
    let gateway = try LoopbackGateway { _ in [.streamHead(), GatewayAnswers.delta("Hel"), .close] }
    let result = try await ask(gateway).result()
    #expect(result.output == "Hel\n")
    #expect(result.status == 69)
    let json = try await ask(gateway, ["--jsonl"]).result()
    let last = try #require(json.output.split(separator: "\n").last)
    let event = try JSONReader().read(String(last))
    #expect(event["event"]?.string == "error")
    #expect(event["error"]?["partialText"]?.string == "Hel")
  }

  @Test func `a deadline ends with its own code`() async throws {
    let gateway = try LoopbackGateway { _ in [.stall] }
    let result = try await ask(gateway, ["--deadline", "0.3"]).result()
    #expect(result.status == 124, "\(result.errors)")
  }

  @Test func `a gateway's URL that may not be used is a matter of configuration`() async throws {
    for url in ["http://gateway.example/v1", "ftp://a/v1", "https://user:key@a/v1", "nonsense"] {
      let result = try await HybridProcess.run(["ask", "--no-local", "--gateway", url, "Hi"])
      #expect(result.status == 78, "\(url): \(result.errors)")
      #expect(!result.errors.contains("key@"))
    }
  }

  @Test func `a preference that widens a policy's is refused, naming both`() async throws {
    let policy = #"{"preference": "localOnly"}"#
    let result = try await HybridProcess.run(
      ["ask", "--policy", "-", "--prefer", "remote", "Hi"], input: .text(policy))
    #expect(result.status == 78)
    #expect(result.errors.contains("localOnly") && result.errors.contains("preferRemote"))
  }

  @Test func `a policy file's fault is named by field, line and column`() async throws {
    for (policy, place) in [
      ("{\n \"preference\": \"local\"}", "line 2, column 16"), ("{\n", "line 2, column 1"),
      ("{\"prefrence\": 1}", "prefrence"),
    ] {
      let result = try await HybridProcess.run(
        ["plan", "--policy", "-", "Hi"], input: .text(policy))
      #expect(result.status == 78)
      #expect(result.errors.contains(place), "\(result.errors)")
    }
  }

  @Test(arguments: ["", "\n", " \n"])
  func `an empty key file is missing credentials`(content: String) async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let file = try TemporaryFile(content)
    let result = try await ask(gateway, ["--key-file", file.path, "--json"]).result()
    #expect(result.status == 69)
    let error = try JSONReader().read(result.output)["error"]
    #expect(error?["details"]?["remote"]?["code"]?.string == "noCredentials")
    #expect(gateway.connections == 0)
  }

  @Test func `a key file's last newline does no harm`() async throws {
    let gateway = try LoopbackGateway { _ in GatewayAnswers.text(["Hello"]) }
    let file = try TemporaryFile("gw-key\n")
    #expect(try await ask(gateway, ["--key-file", file.path]).result().status == 0)
    #expect(gateway.requests.last?.header("Authorization") == "Bearer gw-key")
  }
}
