import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// The protocol's own shapes.
@Suite(.timeLimit(.minutes(10)))
struct ChatCompletionsTests {
  @Test func `a completion keeps every field`() async throws {
    let body =
      #"{"id":"c1","model":"m","object":"chat.completion","choices":[{"index":0,"message":{"#
      + #""role":"assistant","content":"a","reasoning_content":"hm","tool_calls":[{"id":"t","type":"#
      + #""function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"},"#
      + #"{"index":1,"message":{"content":"b"},"finish_reason":"stop"}],"#
      + #""usage":{"prompt_tokens":3,"completion_tokens":4},"x_future":[1,2.50]}"#
    let transport = ClosureTransport { _, _ in .json(200, headers: ["x-request-id": "r1"], body) }
    let client = try GatewayClient.scripted(transport)
    var request = ChatRequest(prompt: "x")
    request.choices = 2
    let completion = try await client.chat.completions.create(request)
    #expect(completion.id == "c1")
    #expect(completion.requestID == "r1")
    #expect(completion.choices.map(\.message.content) == ["a", "b"])
    #expect(completion.choices.map(\.finishReason) == [.toolCalls, .stop])
    #expect(completion.choices[0].message.reasoning == "hm")
    #expect(
      completion.choices[0].message.toolCalls == [ToolCall(id: "t", name: "f", arguments: "{}")])
    #expect(completion.usage == Usage(promptTokens: 3, completionTokens: 4, counted: true))
    #expect(JSONWriter.compact.string(completion.raw) == body)
    let limits = try #require(transport.requests.first?.limits)
    #expect(limits.firstByte == nil)
    #expect(limits.idle == nil)
    #expect(limits.connect == .seconds(5))
    #expect((limits.total ?? .zero) > .seconds(300))
  }

  @Test func `pieces come one by one and keep every field`() async throws {
    let first = piece(#"{"content":"a","x_delta":1}"#, more: #","x_future":"y""#)
    let transport = ClosureTransport { _, _ in
      .scripted(
        stream(
          first, piece(finish: "stop"), #"{"choices":[],"usage":{"prompt_tokens":1}}"#, "[DONE]"))
    }
    let client = try GatewayClient.scripted(transport)
    var chunks: [ChatCompletionChunk] = []
    for try await chunk in try await client.chat.completions.stream(ChatRequest(prompt: "x")) {
      chunks.append(chunk)
    }
    #expect(chunks.count == 3)
    #expect(JSONWriter.compact.string(chunks[0].raw) == first)
    #expect(chunks[0].choices.first?.delta.content == "a")
    #expect(chunks[1].choices.first?.finishReason == .stop)
    #expect(chunks[2].usage?.promptTokens == 1)
  }

  @Test func `a stream of pieces that is cut off throws`() async throws {
    let transport = ClosureTransport { _, _ in .scripted(stream(text("a"))) }
    let client = try GatewayClient.scripted(transport)
    let chunks = try await client.chat.completions.stream(ChatRequest(prompt: "x"))
    let error = await #expect(throws: HybridError.self) {
      for try await chunk in chunks { #expect(chunk.hasOutput) }
    }
    #expect(error?.code == .truncated)
    #expect(error?.partialText == "a")
  }

  @Test(
    arguments: [
      (#"{"message":{"content":7}}"#, "choices[1].message.content"),
      (#"{"message":{"content":["a",null]}}"#, "choices[1].message.content[1]"),
      (#"{"message":{"tool_calls":{}}}"#, "choices[1].message.tool_calls"),
      (#"{"message":{"tool_calls":[{},3]}}"#, "choices[1].message.tool_calls[1]"),
      (
        #"{"message":{"tool_calls":[{"function":{"name":"f","arguments":[1]}}]}}"#,
        "choices[1].message.tool_calls[0].function.arguments"
      ),
      (#"{"message":{},"finish_reason":"tool_calls"}"#, "choices[1].message.tool_calls"),
    ])
  func `what cannot be read of an answer is named`(choice: String, field: String) async throws {
    let body = #"{"choices":[{"message":{"content":"a"}},\#(choice)]}"#
    let transport = ClosureTransport { _, _ in .json(body) }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    let error = await #expect(throws: HybridError.self) {
      try await client.chat.completions.create(ChatRequest(prompt: "x"))
    }
    #expect(error?.code == .badJSON)
    #expect(error?.details["field"]?.string == field)
    #expect(error?.message.contains(field) == true)
  }

  @Test func `a stream of pieces announces no tool calls in vain`() async throws {
    let transport = ClosureTransport { _, _ in
      .scripted(stream(text("a"), piece(finish: "tool_calls"), "[DONE]"))
    }
    let client = try GatewayClient.scripted(transport)
    let chunks = try await client.chat.completions.stream(ChatRequest(prompt: "x"))
    let error = await #expect(throws: HybridError.self) {
      for try await _ in chunks {}
    }
    #expect(error?.code == .badEventStream)
    #expect(error?.committed == true)
  }

  @Test func `a completion is tried again too`() async throws {
    let clock = ManualClock()
    let transport = ClosureTransport { number, _ in
      switch number {
      case 1: .json(503, "{}")
      case 2: .json(#"{"choices":[{"mess"#)
      default: .json(#"{"choices":[{"message":{"content":"a"}}]}"#)
      }
    }
    let client = try GatewayClient.scripted(transport, time: clock)
    async let completion = client.chat.completions.create(ChatRequest(prompt: "x"))
    await clock.advance(untilDone: { transport.requests.count == 3 })
    #expect(try await completion.choices.first?.message.content == "a")
  }

  @Test func `two consumers of one answer are told so`() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let (asked, askedContinuation) = AsyncStream<Void>.makeStream()
    let transport = ClosureTransport { _, _ in
      TransportResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: ResponseBody(
          next: { () async throws(HybridError) in
            askedContinuation.finish()
            for await _ in gate.stream {}
            return nil
          }, cancel: {}))
    }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    let chunks = try await client.chat.completions.stream(ChatRequest(prompt: "x"))
    let first = Task { for try await _ in chunks {} }
    for await _ in asked {}
    var second = chunks.makeAsyncIterator()
    let error = await #expect(throws: HybridError.self) { try await second.next() }
    #expect(error?.code == .invalidRequest)
    gate.continuation.finish()
    await #expect(throws: HybridError.self) { try await first.value }
  }
}
