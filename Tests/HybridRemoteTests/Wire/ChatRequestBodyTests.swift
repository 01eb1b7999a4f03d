import HybridCore
import HybridRemote
import Testing

/// What a request looks like on the wire.
struct ChatRequestBodyTests {
  private func body(
    _ request: ChatRequest, model: String? = nil, baseURL: String = "https://gateway.test/v1",
    isStream: Bool = true
  ) async throws -> JSONValue {
    let transport = ClosureTransport { _, request in
      request.headers["Accept"] == "application/json"
        ? .json(#"{"choices":[{"message":{"content":"a"}}]}"#)
        : .scripted(stream(text("a"), "[DONE]"))
    }
    let client = try GatewayClient.scripted(
      transport, baseURL: baseURL, model: model, credentials: .key(Secret("k")))
    if isStream {
      _ = await Collected.run(client, request)
    } else {
      _ = try await client.chat.completions.create(request)
    }
    return try JSONReader.wire.read(try #require(transport.requests.first?.body))
  }

  private func expect(_ body: JSONValue, _ text: String) throws {
    #expect(
      JSONWriter.compact.string(body) == JSONWriter.compact.string(try JSONReader.wire.read(text)))
  }

  @Test func `the short form`() async throws {
    try expect(
      try await body(ChatRequest(prompt: "Hi", system: "Be brief.")),
      #"""
      {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
       "stream": true, "stream_options": {"include_usage": true}}
      """#)
  }

  @Test func `everything at once`() async throws {
    var request = ChatRequest(
      messages: [
        ChatMessage(role: .developer, content: [.text("a"), .text("b")], name: "dev"),
        ChatMessage(
          role: .user, content: [.text("See"), .image(url: "data:image/png;base64,AA==")]),
        ChatMessage(
          role: .assistant, content: [],
          toolCalls: [ToolCall(id: "c1", name: "f", arguments: #"{"x":1}"#)]),
        ChatMessage(role: .tool, content: [.text("3")], toolCallID: "c1"),
        ChatMessage(role: ChatRole(rawValue: "critic"), content: [.text("ok")]),
      ], model: "big")
    request.sampling = Sampling(temperature: 0.2, topP: 0.9, topK: 40, minP: 0.05, seed: 7)
    request.maxTokens = 64
    request.stop = ["\n\n", "END"]
    request.tools = [
      ToolDefinition(name: "f", description: "Adds.", parameters: ["type": "object"]),
      ToolDefinition(name: "g"),
    ]
    request.extraFields = [
      "store": true, "user": "u-1", "big": .number(JSONNumber(9_007_199_254_740_993)),
    ]
    try expect(
      try await body(request, model: "small"),
      #"""
      {"model": "big",
       "messages": [
         {"role": "developer", "content": "ab", "name": "dev"},
         {"role": "user", "content": [{"type": "text", "text": "See"},
           {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]},
         {"role": "assistant", "content": null, "tool_calls": [
           {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}}]},
         {"role": "tool", "content": "3", "tool_call_id": "c1"},
         {"role": "critic", "content": "ok"}],
       "temperature": 0.2, "top_p": 0.9, "top_k": 40, "min_p": 0.05, "seed": 7, "max_tokens": 64,
       "stop": ["\n\n", "END"],
       "tools": [
         {"type": "function", "function": {"name": "f", "description": "Adds.",
           "parameters": {"type": "object"}}},
         {"type": "function", "function": {"name": "g"}}],
       "store": true, "user": "u-1", "big": 9007199254740993,
       "stream": true, "stream_options": {"include_usage": true}}
      """#)
  }

  @Test func `penalties, bias and log-probabilities under the protocol's names`() async throws {
    var request = ChatRequest(prompt: "Hi", system: nil)
    request.model = "m"
    request.topLogProbs = 3
    request.sampling = Sampling(
      seed: .max, repetitionPenalty: 1.5, penaltyWindow: 32, presencePenalty: -1,
      frequencyPenalty: 0.5, logitBias: [198: -100, 5: 2.5])
    try expect(
      try await body(request),
      #"""
      {"model": "m", "messages": [{"role": "user", "content": "Hi"}],
       "seed": 4294967294, "repetition_penalty": 1.5, "repeat_penalty": 1.5, "repeat_last_n": 32,
       "presence_penalty": -1, "frequency_penalty": 0.5, "logit_bias": {"5": 2.5, "198": -100},
       "logprobs": true, "top_logprobs": 3,
       "stream": true, "stream_options": {"include_usage": true}}
      """#)
  }

  @Test func `log-probabilities without alternatives leave their number out`() async throws {
    var request = ChatRequest(prompt: "Hi")
    request.logProbs = true
    let body = try await body(request)
    #expect(body["logprobs"] == true)
    #expect(body["top_logprobs"] == nil)
  }

  @Test func `the number of choices is sent where there are several`() async throws {
    var request = ChatRequest(prompt: "Hi")
    #expect(try await body(request)["n"] == nil)
    request.choices = 3
    #expect(try await body(request)["n"] == 3)
  }

  static let beyondOpenAI: [(Sampling, String)] = [
    (Sampling(topK: 40), "topK"), (Sampling(minP: 0.1), "minP"),
    (Sampling(repetitionPenalty: 1.1), "repetitionPenalty"),
    (Sampling(penaltyWindow: 9), "repetitionPenalty"),
  ]

  @Test(arguments: beyondOpenAI)
  func `what the server is known not to do is refused by name, and nothing is sent`(
    sampling: Sampling, name: String
  ) async throws {
    let transport = ClosureTransport { _, _ in .json("{}") }
    let client = try GatewayClient.scripted(
      transport, baseURL: "https://api.openai.com/v1", credentials: .key(Secret("k")))
    let request = ChatRequest(messages: [.user("x")], sampling: sampling)
    let failure = await Collected.run(client, request).failure
    #expect(failure?.code == .unsupportedFeature)
    #expect(failure?.side == .remote)
    #expect(failure?.details["features"] == [.string(name)])
    #expect(transport.requests.isEmpty)
  }

  @Test func `the client's model where the request names none`() async throws {
    #expect(try await body(ChatRequest(prompt: "x"), model: "small")["model"]?.string == "small")
  }

  @Test func `a call that is not streamed asks for no usage in streams`() async throws {
    let body = try await body(ChatRequest(prompt: "x"), isStream: false)
    #expect(body["stream"]?.bool == false)
    #expect(body["stream_options"] == nil)
  }

  @Test func `OpenAI's own field for the most tokens`() async throws {
    var request = ChatRequest(prompt: "x")
    request.maxTokens = 5
    let body = try await body(request, baseURL: "https://api.openai.com/v1")
    #expect(body["max_completion_tokens"]?.int == 5)
    #expect(body["max_tokens"] == nil)
  }

  @Test func `a request that nobody could answer is not sent`() async throws {
    let transport = ClosureTransport { _, _ in .json("{}") }
    let client = try GatewayClient.scripted(transport)
    for request in [ChatRequest(messages: []), ChatRequest(prompt: " \n")] {
      #expect(await Collected.run(client, request).collected.error == .invalidRequest)
    }
    #expect(transport.requests.isEmpty)
  }
}
