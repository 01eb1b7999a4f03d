import HybridCore
import HybridRemote
import Testing

/// A refusal, and what the caller is told.
struct Refusal: Sendable, CustomTestStringConvertible {
  var status: Int
  var body: String
  var code: ErrorCode
  var prompt: Int?
  var context: Int?

  var testDescription: String { "\(status) \(body.prefix(60))" }

  init(_ status: Int, _ body: String, _ code: ErrorCode, prompt: Int? = nil, context: Int? = nil) {
    self.status = status
    self.body = body
    self.code = code
    self.prompt = prompt
    self.context = context
  }
}

private func message(_ text: String, _ more: String = "") -> String {
  #"{"error":{"message":"\#(text)"\#(more)}}"#
}

private let refusals: [Refusal] = [
  Refusal(400, message("Unknown parameter: 'foo'.", #","param":"foo""#), .invalidRequest),
  Refusal(
    400,
    message(
      "x", #","type":"exceed_context_size_error","n_prompt_tokens":-5,"n_ctx":0"#),
    .contextLength),
  Refusal(
    400,
    message(
      "x", #","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":9007199254740993"#),
    .contextLength, prompt: 9),
  Refusal(
    400, message("request (-5 tokens) exceeds the available context size (0 tokens)"),
    .contextLength),
  Refusal(
    400, message("the prompt is too long: 9.5 tokens, and the limit is -4 tokens"),
    .contextLength),
  Refusal(401, message("Incorrect API key provided"), .authentication),
  Refusal(402, message("Insufficient credits", #","code":402"#), .paymentRequired),
  Refusal(403, message("no"), .permission),
  Refusal(404, message("The model `x` does not exist", #","code":"model_not_found""#), .notFound),
  Refusal(405, "", .invalidRequest),
  Refusal(408, "", .requestTimeout),
  Refusal(409, "", .conflict),
  Refusal(410, "", .notFound),
  Refusal(413, "", .payloadTooLarge),
  Refusal(415, "", .invalidRequest),
  Refusal(418, "", .invalidRequest),
  Refusal(
    422, #"{"detail":[{"loc":["body","messages"],"msg":"field required"}]}"#, .invalidRequest),
  Refusal(425, "", .tooEarly),
  Refusal(
    429, message("slow down", #","type":"requests","code":"rate_limit_exceeded""#), .rateLimited),
  Refusal(
    429, message("You exceeded your current quota", #","code":"insufficient_quota""#),
    .quotaExhausted),
  Refusal(429, message("x", #","code":"billing_hard_limit_reached""#), .quotaExhausted),
  Refusal(403, message("x", #","code":"billing_not_active""#), .quotaExhausted),
  Refusal(400, message("x", #","code":"content_policy_violation""#), .contentPolicy),
  Refusal(400, message("x", #","code":"content_filter""#), .contentPolicy),
  Refusal(500, "not json", .server),
  Refusal(502, "<html>Bad gateway</html>", .server),
  Refusal(503, message("Loading model", #","code":503,"type":"unavailable_error""#), .overloaded),
  Refusal(504, "", .server),
  Refusal(529, message("Overloaded", #","type":"overloaded_error""#), .overloaded),
  Refusal(599, "", .server),

  Refusal(
    400,
    message(
      "This model's maximum context length is 4097 tokens. However, your messages "
        + "resulted in 5012 tokens. Please reduce the length of the messages.",
      #","code":"context_length_exceeded""#), .contextLength, prompt: 5012, context: 4097),
  Refusal(
    400,
    message(
      "This model's maximum context length is 4097 tokens. However, you requested "
        + "4200 tokens (200 in the messages, 4000 in the completion)."), .contextLength,
    prompt: 4200,
    context: 4097),
  Refusal(
    400,
    message(
      "the request exceeds the available context size, try increasing it",
      #","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096"#), .contextLength,
    prompt: 9000, context: 4096),
  Refusal(
    400,
    message(
      "request (5043 tokens) exceeds the available context size (4096 tokens), try "
        + "increasing it"), .contextLength, prompt: 5043, context: 4096),
  Refusal(
    500,
    message(
      "the request exceeds the available context size. try increasing the context "
        + "size or enable context shift"), .contextLength),
  Refusal(
    400,
    message(
      "prompt is too long: 210000 tokens > 200000 maximum",
      #","type":"invalid_request_error""#), .contextLength, prompt: 210_000, context: 200_000),
  Refusal(
    422,
    message(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. "
        + "Given: 3000 `inputs` tokens and 100 `max_new_tokens`"), .contextLength, prompt: 3000,
    context: 2048),
  Refusal(
    400,
    message(
      "The input (10,500 tokens) is longer than the model's context length (8,192 "
        + "tokens)."), .contextLength, prompt: 10_500, context: 8192),
  Refusal(
    400,
    #"{"object":"error","message":"This model's maximum context length is 64 tokens. However, you requested 70 tokens","type":"BadRequestError","code":400}"#,
    .contextLength, prompt: 70, context: 64),
]

@Suite(.timeLimit(.minutes(10)))
struct GatewayErrorTests {
  private func failure(
    _ response: @escaping @Sendable () -> TransportResponse, key: String? = nil,
    prompt: String = "Say it."
  ) async throws -> HybridError {
    let transport = ClosureTransport { _, _ in response() }
    let client = try GatewayClient.scripted(
      transport, credentials: key.map { .key(Secret($0)) } ?? .none
    ) { $0.retries.maximumTries = 1 }
    let (_, failure) = await Collected.run(client, ChatRequest(prompt: prompt))
    return try #require(failure)
  }

  @Test(arguments: refusals)
  func `a refusal has its code, status and numbers`(refusal: Refusal) async throws {
    let error = try await failure({ .json(refusal.status, refusal.body) })
    #expect(error.code == refusal.code)
    #expect(error.gateway?.status == refusal.status)
    #expect(error.details["prompt"]?.int == refusal.prompt)
    #expect(error.details["context"]?.int == refusal.context)
    #expect(error.side == .remote)
    #expect(error.nextStep?.isEmpty == false)
    #expect(error.attempts.map(\.outcome) == [refusal.code.rawValue])
    #expect(error.attempts.first?.status == refusal.status)
    #expect(!error.committed)
  }

  @Test(arguments: [
    #"{"error":{"message":"no","type":"t","code":"c","param":"p"}}"#,
    #"{"message":"no","type":"t","code":"c","param":"p"}"#,
    #"{"error":"no","type":"t","code":"c","param":"p"}"#,
    #"{"object":"error","message":"no","type":"t","code":"c","param":"p"}"#,
    #"{"error":[{"message":"no","type":"t","code":"c","param":"p"}]}"#,
  ])
  func `the server's words are kept apart`(body: String) async throws {
    let error = try await failure({ .json(400, headers: ["X-Request-ID": "r-1"], body) })
    #expect(error.gateway?.message == "no")
    #expect(error.gateway?.type == "t")
    #expect(error.gateway?.code == "c")
    #expect(error.gateway?.param == "p")
    #expect(error.gateway?.requestID == "r-1")
    #expect(error.message.contains("c, t, p"))
  }

  @Test(arguments: [(#"{"error":{"message":"no"}}"#, true), ("{}", false), ("", false)])
  func `the server's words are pointed to where there are any`(
    body: String, hasWords: Bool
  ) async throws {
    let error = try await failure({ .json(400, body) })
    #expect((error.gateway?.message != nil) == hasWords)
    #expect(error.nextStep?.contains("gateway.message") == hasWords)
  }

  @Test func `keys and prompts that come back are not passed on`() async throws {
    let key = "sk-proj-Canary0123456789abcdefXYZ"
    let prompt = "The canary sings of copper kettles at noon."
    let bodies = [
      "Incorrect API key provided: \(key). See https://x.test/keys?token=\(key)&a=b",
      "Bearer \(key.prefix(14))****\(key.suffix(8)) is wrong",
      "header authorization: Bearer \(key)",
      "invalid input: \(prompt)",
      "near 'sings of copper kettles'",
      "other key gsk_abcdefgh12345678 leaked, and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
      "hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ]
    for body in bodies {
      for status in [400, 401, 500] {
        for response in [message(body), body] {
          let error = try await failure({ .json(status, response) }, key: key, prompt: prompt)
          var dumped = ""
          dump(error, to: &dumped)
          for text in [error.description, "\(error)", dumped] {
            for word in ["Canary", "abcdefXYZ", "copper", "gsk_", "eyJ", "9f86d0", "token="] {
              #expect(!text.contains(word), "\(word) in \(text)")
            }
          }
        }
      }
    }
  }

  @Test func `an error page is told by its beginning`() async throws {
    let page = "<html><body>" + String(repeating: "A sad cloud. ", count: 100)
    let error = try await failure({ .scripted(502, type: "text/html", page) })
    #expect(error.code == .server)
    #expect(error.gateway?.message?.hasPrefix("<html><body>A sad cloud.") == true)
    #expect((error.gateway?.message?.count ?? 0) <= 256)
    let good = try await failure({ .scripted(200, type: "text/html", page) })
    #expect(good.code == .wrongContentType)
    #expect(good.gateway?.message?.hasPrefix("<html><body>A sad cloud.") == true)
    #expect(good.message.contains("text/html"))
  }

  @Test func `an error's endless body is read as far as its limit`() async throws {
    let error = try await failure({
      .scripted(
        400, type: "application/json",
        pieces: Array(repeating: Array(repeating: 0x20, count: 1024), count: 200))
    })
    #expect(error.code == .invalidRequest)
  }

  @Test func `an encoded body is refused, not misread`() async throws {
    let error = try await failure({
      .scripted("\u{1f}\u{8b}", headers: ["Content-Encoding": "gzip"])
    })
    #expect(error.code == .wrongContentType)
    #expect(error.message.contains("gzip"))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is refused, and only its origin is told`(status: Int) async throws {
    let error = try await failure({
      .scripted(
        status, headers: ["Location": "https://other.test:444/login?session=canary"], "")
    })
    #expect(error.code == .redirectRefused)
    #expect(error.details["target"]?.string == "https://other.test:444")
    #expect(!error.description.contains("canary"))
  }

  @Test func `an answer over the limits is refused`() async throws {
    let long = String(repeating: "x", count: 3000)
    let transport = ClosureTransport { number, _ in
      switch number {
      case 1: .scripted(stream(text(long), text(long), "[DONE]"))
      case 2: .scripted(stream(text(long), "[DONE]"))
      default: .json(#"{"choices":[{"message":{"content":"\#(long)"}}]}"#)
      }
    }
    let client = try GatewayClient.scripted(transport) {
      $0.responseLimits = ResponseLimits(body: 2000, stream: 4000, line: 3500, event: 3500)
      $0.retries.maximumTries = 1
    }
    #expect(await Collected.run(client).collected.error == .tooLarge)
    #expect(await Collected.run(client).collected.text.count == 3000)
    #expect(await Collected.run(client).collected.error == .tooLarge)
    let error = await #expect(throws: HybridError.self) {
      try await client.chat.completions.create(ChatRequest(prompt: "x"))
    }
    #expect(error?.code == .tooLarge)
  }
}
