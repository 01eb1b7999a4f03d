import HybridCore
import Testing

@Suite struct `A chat request` {
  private static func request(_ change: (inout ChatRequest) -> Void) -> ChatRequest {
    var request = ChatRequest(prompt: "hi")
    change(&request)
    return request
  }

  static let refused: [(ChatRequest, field: String)] = [
    (request { $0.messages = [] }, "messages"),
    (request { $0.messages = [.user("")] }, "messages"),
    (request { $0.messages = [.user(" \n\t")] }, "messages"),
    (request { $0.messages = [.system("Be kind."), .user("")] }, "messages"),
    (request { $0.messages = [.system("")] }, "messages"),
    (request { $0.messages = [.assistant("")] }, "messages"),
    (request { $0.sampling.temperature = -0.1 }, "temperature"),
    (request { $0.sampling.temperature = 2.1 }, "temperature"),
    (request { $0.sampling.temperature = .nan }, "temperature"),
    (request { $0.sampling.temperature = .infinity }, "temperature"),
    (request { $0.sampling.topP = 0 }, "topP"),
    (request { $0.sampling.topP = 1.1 }, "topP"),
    (request { $0.sampling.topP = .nan }, "topP"),
    (request { $0.sampling = Sampling(temperature: 0, topP: 7) }, "topP"),
    (request { $0.sampling.minP = -0.1 }, "minP"),
    (request { $0.sampling.minP = 1.1 }, "minP"),
    (request { $0.sampling.minP = .nan }, "minP"),
    (request { $0.sampling.topK = -1 }, "topK"),
    (request { $0.maxTokens = 0 }, "maxTokens"),
    (request { $0.maxTokens = -5 }, "maxTokens"),
    (request { $0.stop = [""] }, "stop"),
    (request { $0.stop = Array(repeating: "x", count: 10_000) }, "stop"),
    (request { $0.stop = [String(repeating: "x", count: 1025)] }, "stop"),
    (request { $0.deadline = .zero }, "deadline"),
    (request { $0.deadline = .seconds(-1) }, "deadline"),
    (request { $0.extraFields["n"] = 2 }, "n"),
    (request { $0.extraFields["temperature"] = 0.5 }, "temperature"),
  ]

  @Test(arguments: refused)
  func `that no side could answer is refused with the field and the next step`(
    _ request: ChatRequest, field: String
  ) {
    let error = #expect(throws: HybridError.self) { try request.validate() }
    #expect(error?.code == .invalidRequest)
    #expect(error?.details["field"] == .string(field))
    #expect(error?.nextStep != nil)
  }

  static let accepted: [ChatRequest] = [
    request { _ in },
    request { $0.messages = [.system("Go on."), .assistant("")] },
    request { $0.messages = [.user("what is this?"), .assistant(""), .user("and this?")] },
    request { $0.messages[0].content = [.image(url: "https://example.org/a.png")] },
    request { $0.sampling = Sampling(temperature: 2, topP: 1, topK: 0, minP: 0) },
    request { $0.sampling = Sampling(temperature: 0, topP: .leastNonzeroMagnitude, minP: 1) },
    request { $0.maxTokens = 1 },
    request { $0.stop = Array(repeating: String(repeating: "x", count: 1024), count: 64) },
    request { $0.deadline = .nanoseconds(1) },
    request { $0.extraFields["logprobs"] = true },
  ]

  @Test(arguments: accepted)
  func `at the edge of what is allowed passes`(_ request: ChatRequest) throws {
    try request.validate()
  }
}
