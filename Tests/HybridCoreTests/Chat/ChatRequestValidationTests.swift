import HybridCore
import Testing

@Suite struct `A chat request` {
  private static func request(_ change: (inout ChatRequest) -> Void) -> ChatRequest {
    var request = ChatRequest(prompt: "hi")
    change(&request)
    return request
  }

  private static func biased(_ bias: [Int: Double]) -> ChatRequest {
    request {
      $0.model = "m"
      $0.sampling.logitBias = bias
    }
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
    (request { $0.sampling.repetitionPenalty = 0 }, "repetitionPenalty"),
    (request { $0.sampling.repetitionPenalty = .nan }, "repetitionPenalty"),
    (request { $0.sampling.repetitionPenalty = .infinity }, "repetitionPenalty"),
    (request { $0.sampling.penaltyWindow = 0 }, "penaltyWindow"),
    (request { $0.sampling.presencePenalty = 2.5 }, "presencePenalty"),
    (request { $0.sampling.presencePenalty = .nan }, "presencePenalty"),
    (request { $0.sampling.frequencyPenalty = -2.5 }, "frequencyPenalty"),
    (request { $0.sampling.frequencyPenalty = -.infinity }, "frequencyPenalty"),
    (biased([5: 101]), "logitBias"),
    (biased([5: .nan]), "logitBias"),
    (biased([-1: 1]), "logitBias"),
    (biased([1 << 40: 1]), "logitBias"),
    (biased(Dictionary(uniqueKeysWithValues: (0...1024).map { ($0, 1) })), "logitBias"),
    (request { $0.sampling.logitBias = [5: 1] }, "logitBias"),
    (request { $0.topLogProbs = -1 }, "topLogProbs"),
    (request { $0.topLogProbs = 21 }, "topLogProbs"),
    (request { $0.choices = 0 }, "choices"),
    (request { $0.choices = -1 }, "choices"),
    (request { $0.choices = 129 }, "choices"),
    (request { $0.maxTokens = 0 }, "maxTokens"),
    (request { $0.maxTokens = -5 }, "maxTokens"),
    (request { $0.stop = [""] }, "stop"),
    (request { $0.stop = Array(repeating: "x", count: 10_000) }, "stop"),
    (request { $0.stop = [String(repeating: "x", count: 1025)] }, "stop"),
    (request { $0.deadline = .zero }, "deadline"),
    (request { $0.deadline = .seconds(-1) }, "deadline"),
    (request { $0.extraFields["n"] = 2 }, "n"),
    (request { $0.extraFields["temperature"] = 0.5 }, "temperature"),
    (request { $0.extraFields["logprobs"] = true }, "logprobs"),
    (request { $0.extraFields["repeat_penalty"] = 1.1 }, "repeat_penalty"),
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
    request { $0.extraFields["response_format"] = "text" },
    request { $0.sampling = Sampling(repetitionPenalty: 0.1, penaltyWindow: 1) },
    request { $0.sampling = Sampling(repetitionPenalty: 10, penaltyWindow: .max) },
    request { $0.sampling = Sampling(presencePenalty: -2, frequencyPenalty: 2) },
    biased(Dictionary(uniqueKeysWithValues: (0..<1024).map { ($0, $0 % 2 == 0 ? 100 : -100) })),
    request { $0.topLogProbs = 0 },
    request { $0.topLogProbs = 20 },
    request { $0.choices = 128 },
  ]

  @Test(arguments: accepted)
  func `at the edge of what is allowed passes`(_ request: ChatRequest) throws {
    try request.validate()
  }

  static let needs: [(ChatRequest, Set<Feature>)] = [
    (request { $0.sampling = Sampling(temperature: 1, topP: 0.5, seed: 1) }, []),
    (request { $0.sampling = Sampling(topK: 0, minP: 0) }, [.topK, .minP]),
    (request { $0.sampling.penaltyWindow = 8 }, [.repetitionPenalty]),
    (request { $0.sampling.repetitionPenalty = 1 }, [.repetitionPenalty]),
    (
      request { $0.sampling = Sampling(presencePenalty: 0, frequencyPenalty: 0) },
      [.presencePenalty, .frequencyPenalty]
    ),
    (biased([1: 1]), [.logitBias]),
    (request { $0.logProbs = true }, [.logProbs]),
    (request { $0.choices = 2 }, [.choices]),
  ]

  @Test(arguments: needs)
  func `names each thing that a side may not have`(_ request: ChatRequest, _ needs: Set<Feature>) {
    #expect(request.features == needs)
  }

  @Test func `asks for log-probabilities with alternatives or without`() {
    var request = ChatRequest(prompt: "hi")
    #expect(!request.logProbs)
    request.logProbs = true
    #expect(request.topLogProbs == 0)
    request.topLogProbs = 5
    request.logProbs = true
    #expect(request.topLogProbs == 5)
    request.logProbs = false
    #expect(request.topLogProbs == nil)
  }

  @Test func `the greatest seed is one like the others`() {
    // llama.cpp takes it for "any seed": an answer that could not be repeated.
    #expect(Sampling(seed: .max).drawSeed == 4_294_967_294)
    #expect(Sampling(seed: 7).drawSeed == 7)
    #expect(Sampling().drawSeed == nil)
  }

  @Test func `a further choice's seed is the next one, and never the greatest of all`() {
    let last = UInt32.max - 1
    let seeds: [(UInt32, Int, UInt32)] = [
      (7, 0, 7), (7, 1, 8), (7, 127, 134), (last, 0, last), (last, 1, 0), (last - 2, 5, 2),
    ]
    for (seed, index, expected) in seeds {
      #expect(Sampling.seed(seed, ofChoice: index) == expected)
    }
  }
}
