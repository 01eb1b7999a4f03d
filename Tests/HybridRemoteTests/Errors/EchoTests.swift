import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// Gateways that send back what they were sent: none of it comes out of an error.
@Suite(.timeLimit(.minutes(10)))
struct EchoTests {
  /// A request with a word of its own in each place that can hold one.
  private struct Marked {
    var request: ChatRequest
    var canaries: [String]

    init(_ random: inout SeededGenerator) {
      var canaries: [String] = []
      func mark() -> String {
        // Neither a key by its looks nor a word: 12 letters, one of them not ASCII.
        var letters = (0..<11).map { _ in "bcdfghjklmnpqrstvwxz".randomElement(using: &random)! }
        letters.insert("é", at: Int.random(in: 0...11, using: &random))
        canaries.append(String(letters))
        return String(letters)
      }
      func plain() -> String {
        let letters = (0..<12).map { _ in
          "bcdfghjklmnpqrstvwxz23456789".randomElement(using: &random)!
        }
        canaries.append(String(letters))
        return String(letters)
      }
      request = ChatRequest(messages: [])
      request.messages = [
        .system("Be \"\(mark())\",\nand\t\(mark()).\r\n\n\(mark())"),
        ChatMessage(
          role: .user,
          content: [
            .text("C:\\new\\\(plain()) <b>\(mark())</b> & \(mark())"),
            .image(url: "https://images.test/\(plain())?v=\(plain())"),
            .image(url: "data:image/png;base64,\(plain())/+\(plain())=="),
          ], name: plain()),
        ChatMessage(
          role: .assistant, content: [],
          toolCalls: [
            ToolCall(
              id: plain(), name: plain(),
              arguments: #"{"\#(mark())":"a\n\#(mark())\"","n":[7,"😀x"]}"#)
          ]),
        ChatMessage(
          role: .tool, content: [.text(#"{"found":"\#(mark())\n"}"#)],
          toolCallID: plain()),
        .user("😀 \(mark()) it’s\u{2028}\(mark())"),
      ]
      request.stop = [plain()]
      request.tools = [
        ToolDefinition(
          name: plain(), description: "Finds \(mark())",
          parameters: [
            "type": "object", "additionalProperties": false,
            "properties": [
              "kind": [
                "type": "string", "enum": [.string(mark())],
                "pattern": .string("^\\d\(plain())\\b"),
                "description": .string(mark()),
              ]
            ],
          ])
      ]
      var schema = JSONObject()
      schema[plain()] = ["type": "integer", "default": 123_456_789_012]
      canaries.append("123456789012")
      request.extraFields = [
        "metadata": ["who": .string(mark()), "list": [[.string(mark())]]],
        "response_format": [
          "type": "json_schema",
          "json_schema": ["name": .string(plain()), "schema": .object(schema)],
        ],
        "user": .string(plain()),
      ]
      self.canaries = canaries
    }
  }

  /// How a text comes back.
  private enum Form: CaseIterable {
    case asItIs, escaped, escapedTwice, escapedToASCII, html, indented, capitals

    func written(_ text: String) -> String {
      switch self {
      case .asItIs: text
      case .escaped: Self.json(text)
      case .escapedTwice: Self.json(Self.json(text))
      case .escapedToASCII: Self.ascii(Self.json(text))
      case .html:
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
          .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
          .replacing("é", with: "&#233;")
      case .indented: text.replacing(",", with: ",\n    ").replacing("{", with: "{\n  ")
      case .capitals: text.uppercased()
      }
    }

    private static func json(_ text: String) -> String {
      String(JSONWriter.compact.string(.string(text)).dropFirst().dropLast())
    }

    private static func ascii(_ text: String) -> String {
      text.utf16.map { unit in
        if unit < 0x80 { return String(Unicode.Scalar(UInt8(unit))) }
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  /// Where in a response it stands.
  private enum Frame: CaseIterable {
    case body, message, detail, page, stream, streamError, streamOfWords, overflow

    /// - Parameter text: already escaped for wherever it stood before; here it is a text's content.
    func response(_ status: Int, _ text: String) -> TransportResponse {
      let quoted = JSONWriter.compact.string(.string(text))
      switch self {
      case .body: return .json(status, text)
      case .message: return .json(status, #"{"error":{"message":\#(quoted)}}"#)
      case .detail: return .json(status, #"{"detail":[{"loc":["body"],"msg":\#(quoted)}]}"#)
      case .page: return .scripted(200, type: "text/html", "<html><p>\(text)")
      case .stream:
        return .scripted("data: {\"error\":{\"message\":\(quoted),\"code\":\(status)}}\n\n")
      case .streamError: return .scripted("event: error\ndata: {\"message\":\(quoted)}\n\n")
      case .streamOfWords:
        return .scripted("event: error\ndata: \(text.replacing("\n", with: " "))\n\n")
      case .overflow:
        return .json(
          400,
          #"{"error":{"code":"context_length_exceeded","message":\#(quoted),"type":\#(quoted)}}"#)
      }
    }
  }

  /// Which of these come out of an error: 8 characters of one are enough.
  private func leaks(of canaries: [String], in error: HybridError) -> [String] {
    var dumped = ""
    dump(error, to: &dumped)
    let text = Array("\(error) \(dumped)".lowercased().utf8)
    var stretches: Set<ArraySlice<UInt8>> = []
    for place in text.indices.dropLast(7) { stretches.insert(text[place..<place + 8]) }
    return canaries.filter { canary in
      let letters = Array(canary.utf8)
      return letters.indices.dropLast(7).contains { stretches.contains(letters[$0..<$0 + 8]) }
    }
  }

  private func error(
    for request: ChatRequest, _ response: @escaping @Sendable (String) -> TransportResponse
  ) async throws -> HybridError {
    let transport = ClosureTransport { _, sent in
      response(String(decoding: sent.body ?? [], as: UTF8.self))
    }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    return try #require(await Collected.run(client, request).failure)
  }

  @Test(arguments: [UInt64(1), 2])
  func `nothing of an echoed request comes out, however escaped or cut`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let marked = Marked(&random)
    for form in Form.allCases {
      for frame in Frame.allCases {
        for canary in marked.canaries.shuffled(using: &random).prefix(3) {
          let status = [400, 401, 422, 500].randomElement(using: &random)!
          // From the beginning, from somewhere before the word, or from within it.
          let before = Int.random(in: -4...60, using: &random)
          let isWhole = Int.random(in: 0..<4, using: &random) == 0
          let error = try await error(for: marked.request) { sent in
            let text = form.written(sent)
            let word = form.written(canary)
            guard !isWhole, let place = text.firstRange(of: word)?.lowerBound else {
              return frame.response(status, text)
            }
            let offset = text.distance(from: text.startIndex, to: place) - before
            return frame.response(status, String(text.dropFirst(max(0, offset))))
          }
          let leaks = leaks(of: marked.canaries, in: error)
          #expect(leaks == [], "as \(form) in \(frame): \(error.gateway ?? .init())")
        }
      }
    }
  }

  @Test func `a word of the request is no name of a failure, header or place`() async throws {
    var random = SeededGenerator(seed: 9)
    let marked = Marked(&random)
    for canary in marked.canaries.prefix(6) {
      let plain = canary.replacing("é", with: "e")
      var request = marked.request
      request.messages.append(.user(plain))
      let responses: [TransportResponse] = [
        .json(400, #"{"error":{"message":"no","code":"\#(plain)"}}"#),
        .json(400, #"{"error":{"message":"no","type":"\#(plain)"}}"#),
        .json(400, #"{"error":{"message":"no","param":"messages[0].\#(plain)"}}"#),
        .json(400, headers: ["X-Request-ID": plain], "{}"),
        .scripted(200, type: "text/\(plain)", "<html>"),
        .scripted("x", headers: ["Content-Encoding": plain]),
        .scripted(302, headers: ["Location": "https://\(plain).test/"], ""),
      ]
      for response in responses {
        let error = try await error(for: request) { _ in response }
        #expect(leaks(of: [plain], in: error) == [], "\(error.gateway ?? .init())")
      }
    }
  }

  /// Hiding everything would be easy: what the gateway says of its own must stay readable.
  @Test func `a gateway's own words stay`() async throws {
    var random = SeededGenerator(seed: 4)
    let marked = Marked(&random)
    let own = "Invalid 'tools[0].function.parameters': 'additionalProperties' is required"
    let error = try await error(for: marked.request) { _ in
      .json(
        400, headers: ["X-Request-ID": "req_0f5a2c9b7d314e8aa6c1f2d3e4b5a697"],
        #"{"error":{"message":"\#(own)","code":"invalid_api_key","param":"tools[0].function"}}"#)
    }
    #expect(error.gateway?.message == own)
    #expect(error.gateway?.code == "invalid_api_key")
    #expect(error.gateway?.param == "tools[0].function")
    // A name that the gateway made up is what its operator asks for, however much it looks like a key.
    #expect(error.gateway?.requestID == "req_0f5a2c9b7d314e8aa6c1f2d3e4b5a697")
  }

  @Test func `a failure's own name stays though the conversation has the word`() async throws {
    let request = ChatRequest(prompt: "What does rate_limit_exceeded mean?")
    let error = try await error(for: request) { _ in
      .json(429, #"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#)
    }
    #expect(error.gateway?.code == "rate_limit_exceeded")
    #expect(error.gateway?.message == "slow down")
  }

  @Test(arguments: [
    ("Red", "red flags"), ("kiwi", "kiwi? Kiwi."), ("07:45", "at 07:45 h"), ("你好", "说你好"),
    ("12 34 56 78", "card 12-34-56-78 refused"),
  ])
  func `short texts are hidden where they are words of their own`(
    prompt: String, echo: String
  ) async throws {
    let error = try await error(for: ChatRequest(prompt: prompt)) { _ in
      .json(400, JSONWriter.compact.string(["error": ["message": .string(echo)]]))
    }
    // Below four letters and digits nothing is told apart from any other word.
    let isTooShort = prompt == "Red"
    #expect(error.gateway?.message?.contains("<redacted>") == !isTooShort)
    let inside = try await self.error(for: ChatRequest(prompt: "city")) { _ in
      .json(400, #"{"error":{"message":"over capacity"}}"#)
    }
    #expect(inside.gateway?.message == "over capacity")
  }
}
