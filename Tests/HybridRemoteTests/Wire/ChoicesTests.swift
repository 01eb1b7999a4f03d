import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// Several choices of one request, as gateways send them.
@Suite(.timeLimit(.minutes(10)))
struct ChoicesTests {
  private func run(
    _ response: @escaping @Sendable () -> TransportResponse, choices: Int = 3,
    topLogProbs: Int? = nil
  ) async throws -> (collected: Collected, failure: HybridError?) {
    let transport = ClosureTransport { _, _ in response() }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    var request = ChatRequest(prompt: "Say it.")
    request.choices = choices
    request.topLogProbs = topLogProbs
    return await Collected.run(client, request)
  }

  private static func text(_ text: String, _ choice: Int, finish: String? = nil) -> String {
    piece(#"{"content":"\#(text)"}"#, finish: finish, choice: choice)
  }

  private static func texts(_ collected: Collected) -> [String] {
    [collected.text] + (1...2).map { collected.text(ofChoice: $0) }
  }

  static let recorded = [
    "The animal in question is a", "The animal I am referring to",
    "The majestic and majestic unicorn",
  ]

  @Test func `a llama-server's mixed pieces come apart, whole and byte by byte`() async throws {
    let bytes = try TestAssets.stream("llama-server-choices.sse")
    for pieces in [[bytes], bytes.map { [$0] }] {
      let (result, failure) = try await run { .scripted(pieces: pieces) }
      #expect(failure == nil)
      #expect(Self.texts(result) == Self.recorded)
      #expect(result.completion?.finishReason == .length)
      #expect(result.completion?.otherFinishReasons == [.length, .length])
      // It counts each choice for itself.
      #expect(
        result.completion?.usage
          == Usage(promptTokens: 34, cachedTokens: 0, completionTokens: 18, counted: true))
    }
  }

  @Test func `cut off at any byte they are whole only from the last finish reason on`()
    async throws
  {
    let bytes = try TestAssets.stream("llama-server-choices.sse")
    let finish = #""finish_reason":"length""#
    let last = try #require(
      bytes.indices.last { bytes[$0...].starts(with: finish.utf8) })
    let end = try #require(bytes[last...].firstRange(of: "\n\n".utf8))
    for count in bytes.indices {
      let (result, failure) = try await run { .scripted(pieces: [Array(bytes[..<count])]) }
      let isWhole = count >= end.upperBound
      #expect(result.error == (isWhole ? nil : .truncated), "cut at \(count)")
      let texts = Self.texts(result)
      #expect(zip(Self.recorded, texts).allSatisfy { $0.hasPrefix($1) }, "cut at \(count)")
      #expect(failure?.partialText ?? "" == (isWhole ? "" : texts[0]), "cut at \(count)")
      #expect(
        failure?.committed ?? false == (!isWhole && texts.contains { !$0.isEmpty }),
        "cut at \(count)")
    }
  }

  @Test func `each has its own text, reasoning, tool calls and end, with one count of all`()
    async throws
  {
    func call(_ id: String, _ arguments: String, _ choice: Int) -> String {
      piece(
        #"{"tool_calls":[{"index":0,"id":"\#(id)","function":{"name":"f","arguments":"\#(arguments)"}}]}"#,
        choice: choice)
    }
    let body = stream(
      Self.text("a", 0), call("t1", #"{\"x"#, 1), piece(#"{"reasoning":"hm"}"#, choice: 2),
      call("t0", #"{\"y"#, 0), call("t1", #"\":1}"#, 1), Self.text("c", 2, finish: "stop"),
      call("t0", #"\":2}"#, 0), piece(finish: "tool_calls", choice: 1),
      piece(finish: "tool_calls", choice: 0),
      #"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":9}}"#, "[DONE]")
    let (result, failure) = try await run { .scripted(body) }
    #expect(failure == nil)
    #expect(result.text == "a")
    #expect(result.calls == [ToolCall(id: "t0", name: "f", arguments: #"{"y":2}"#)])
    #expect(
      result.others == [
        .init(choice: 2, piece: .reasoning("hm")), .init(choice: 2, piece: .text("c")),
        .init(
          choice: 1,
          piece: .toolCall(ToolCall(id: "t1", name: "f", arguments: #"{"x":1}"#))),
      ])
    #expect(result.completion?.finishReason == .toolCalls)
    #expect(result.completion?.otherFinishReasons == [.toolCalls, .stop])
    #expect(
      result.completion?.usage == Usage(promptTokens: 5, completionTokens: 9, counted: true))
  }

  @Test func `log-probabilities stay with their choice, and no more than were asked for`()
    async throws
  {
    func told(_ text: String, _ choice: Int) -> String {
      #"{"choices":[{"index":\#(choice),"delta":{"content":"\#(text)"},"finish_reason":"stop","#
        + #""logprobs":{"content":[{"token":"\#(text)","logprob":-1,"top_logprobs":["#
        + #"{"token":"\#(text)","logprob":-1},{"token":"z","logprob":-2}]}]}}]}"#
    }
    let body = stream(told("b", 1), told("a", 0), "[DONE]")
    let (result, _) = try await run({ .scripted(body) }, choices: 2, topLogProbs: 1)
    #expect(result.logProbs.map(\.text) == ["a"])
    let others = result.others.compactMap { other in
      if case .logProbs(let tokens) = other.piece { tokens } else { nil }
    }
    #expect(others.map { $0.map(\.text) } == [["b"]])
    #expect(others.first?.first?.alternatives.count == 1)
    let (none, _) = try await run({ .scripted(body) }, choices: 2)
    #expect(none.others == [.init(choice: 1, piece: .text("b"))])
  }

  @Test func `a plain answer's come apart too, in any order, and by their places without numbers`()
    async throws
  {
    func choice(_ text: String, _ index: Int?) -> String {
      let index = index.map { #""index":\#($0),"# } ?? ""
      return #"{\#(index)"message":{"content":"\#(text)"},"finish_reason":"stop"}"#
    }
    for list in [
      [choice("b", 1), choice("a", 0), choice("c", 2)],
      [choice("a", nil), choice("b", nil), choice("c", nil)],
    ] {
      let body = #"{"choices":[\#(list.joined(separator: ","))]}"#
      let (result, failure) = try await run { .json(body) }
      #expect(failure == nil)
      #expect(Self.texts(result) == ["a", "b", "c"])
      #expect(result.completion?.otherFinishReasons == [.stop, .stop])
    }
    let twice = #"{"choices":[\#(choice("a", 0)),\#(choice("b", 0)),\#(choice("c", 1))]}"#
    let (result, failure) = try await run { .json(twice) }
    #expect(result.error == .badJSON)
    #expect(failure?.details["field"] == "choices[1].index")
  }

  @Test func `one that is announced as the end and never ended is unknown`() async throws {
    let body = stream(Self.text("a", 0, finish: "stop"), Self.text("b", 1), "[DONE]")
    let (result, failure) = try await run({ .scripted(body) }, choices: 2)
    #expect(failure == nil)
    #expect(result.completion?.otherFinishReasons == [.unknown])
  }

  @Test func `one that ends with an error fails them all`() async throws {
    let body = stream(
      Self.text("a", 0, finish: "stop"), piece(finish: "error", choice: 1), "[DONE]")
    #expect(try await run({ .scripted(body) }, choices: 2).collected.error == .server)
  }

  static let few = [
    (stream(text("a", 0, finish: "stop"), "[DONE]"), 1),
    (stream(text("a", 0), text("b", 2, finish: "stop"), piece(finish: "stop"), "[DONE]"), 2),
    (stream("[DONE]"), 0),
  ]

  @Test(arguments: few)
  func `fewer than were asked for are an error that names it, and never an answer`(
    body: String, given: Int
  ) async throws {
    let transport = ClosureTransport { _, _ in .scripted(body) }
    // Tried once, however often it may be: the gateway would give no more.
    let client = try GatewayClient.scripted(transport)
    var request = ChatRequest(prompt: "Say it.")
    request.choices = 3
    let (result, failure) = await Collected.run(client, request)
    #expect(result.error == .unsupportedFeature)
    #expect(failure?.details["features"] == ["choices"])
    #expect(failure?.details["asked"] == 3)
    #expect(failure?.details["given"] == .int(given))
    #expect(failure?.nextStep?.contains("lacks") == true)
    #expect(transport.requests.count == 1)
    let chunks = try await client.chat.completions.stream(request)
    let raw = await #expect(throws: HybridError.self) { for try await _ in chunks {} }
    #expect(raw?.code == .unsupportedFeature)
  }

  @Test func `of a whole completion too`() async throws {
    let one = #"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#
    let two =
      #"{"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"message":{"content":"b"}}]}"#
    for (body, asked, code) in [(one, 2, ErrorCode.unsupportedFeature), (two, 1, .badJSON)] {
      let client = try GatewayClient.scripted(ClosureTransport { _, _ in .json(body) }) {
        $0.retries.maximumTries = 1
      }
      var request = ChatRequest(prompt: "x")
      request.choices = asked
      let error = await #expect(throws: HybridError.self) {
        try await client.chat.completions.create(request)
      }
      #expect(error?.code == code)
    }
  }

  @Test(arguments: [3, -1, 128])
  func `a number that none of them has is an answer that cannot be read`(
    index: Int
  ) async throws {
    let body = stream(Self.text("a", 0), Self.text("x", index), "[DONE]")
    let (result, failure) = try await run { .scripted(body) }
    #expect(result.error == .badEventStream)
    #expect(failure?.details["field"] == "choices[0].index")
    #expect(failure?.message.contains("0 to 2") == true)
    #expect(result.text == "a")
  }

  @Test func `stopped in the middle, each says whether it had ended`() async throws {
    let gate = Gate()
    let beginning = Array(
      stream(Self.text("a", 0), Self.text("b", 1, finish: "stop"), Self.text("c", 2)).utf8)
    let isFirst = Flag(true)
    let transport = ClosureTransport { _, _ in
      TransportResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: ResponseBody(
          next: { () async throws(HybridError) in
            if isFirst.value {
              isFirst.set(false)
              return beginning
            }
            _ = await gate.pass()
            throw .cancelledByTask
          }, cancel: { gate.open() }))
    }
    let client = try GatewayClient.scripted(transport)
    var request = ChatRequest(prompt: "x")
    request.choices = 3
    let run = try await client.start(request, in: ExecutionContext())
    var texts: [String] = []
    var end: Completion?
    for try await event in run {
      if case .finished(let completion) = event { end = completion }
      if let output = event.output, case .text(let text) = output.piece {
        texts.append("\(output.choice) \(text)")
      }
      if texts.count == 3 { run.cancel() }
    }
    #expect(texts == ["0 a", "1 b", "2 c"])
    #expect(end?.finishReason == .cancelled)
    #expect(end?.otherFinishReasons == [.stop, .cancelled])
  }

  @Test func `a gateway that lacks them says so to a plan, and refuses them alone`() async throws {
    let transport = ClosureTransport { _, _ in .json("{}") }
    let client = try GatewayClient.scripted(transport) {
      $0.profile = ServerProfile(lacks: [.choices])
    }
    #expect(await client.status(model: nil).lacks == [.choices])
    var request = ChatRequest(prompt: "x")
    request.choices = 2
    let failure = await Collected.run(client, request).failure
    #expect(failure?.code == .unsupportedFeature)
    #expect(failure?.details["features"] == ["choices"])
    #expect(transport.requests.isEmpty)
  }
}
