import HybridCore
import HybridLocal

/// Values with every property other than by default.
enum WireSamples {
  static let message = ChatMessage(
    role: .tool, content: [.text("a\u{0}b"), .image(url: "data:,")], name: "n",
    toolCalls: [ToolCall(id: "1", name: "f", arguments: #"{"a": 1}"#)], toolCallID: "2")

  static let sampling = Sampling(
    temperature: 0.1, topP: 0.2, topK: 3, minP: 0.4, seed: .max, repetitionPenalty: 1.1,
    penaltyWindow: 7, presencePenalty: -0.5, frequencyPenalty: 0.25,
    logitBias: [198: -100, 5: 0.125])

  static let request = ChatRequest(
    messages: [message, .user("é")], model: "m", sampling: sampling, maxTokens: 9,
    stop: ["a", "\n"], topLogProbs: 2, choices: 3,
    tools: [ToolDefinition(name: "f", description: "d", parameters: ["type": "object"])],
    extraFields: ["user": ["a", 1.5e300, nil, true, ["b": 9_007_199_254_740_993]]],
    tags: [.health, .private], preference: .localOnly, deadline: .milliseconds(1234))

  static let token = TokenLogProb(
    text: "\u{FFFD}", bytes: [0xE2, 0], token: 17, logProb: -0.1,
    alternatives: [
      TokenLogProb.Alternative(text: "b", bytes: [98], token: 0, logProb: -12.25)
    ])

  static let usage = Usage(promptTokens: 1, cachedTokens: 2, completionTokens: 3, counted: true)

  static let timings = Timings(
    queue: .nanoseconds(1), load: .seconds(2), prefill: .seconds(3), decode: .seconds(4),
    firstToken: .seconds(5), total: .seconds(6), throttled: .seconds(7), cpuPressure: 0.5)

  static let completion = Completion(
    finishReason: .length, otherFinishReasons: [.stop, FinishReason(rawValue: "own")], model: "m",
    tunedFormat: "Q8_0", usage: usage, timings: timings,
    threads: ThreadCounts(decode: 1, prefill: 2), requestID: "r")

  static let attempt = Attempt(
    side: .remote, failure: .server, status: 500, duration: .milliseconds(5))

  static let error = HybridError(
    .decodeFailed, "what", nextStep: "do", details: ["a": ["b": [1, nil]]], side: .local,
    gateway: GatewayResponseInfo(
      status: 1, code: "c", type: "t", param: "p", message: "m", requestID: "r",
      retryAfter: .seconds(3)), committed: true, partialText: "part", attempts: [attempt])

  static let events: [ExecutorEvent] = [
    .text("a"), .reasoning("b"), .logProbs([token]),
    .toolCall(ToolCall(id: "1", name: "f", arguments: "{}")), .finished(completion),
    .choice(1, .text("c")), .choice(2, .reasoning("d")), .choice(3, .logProbs([token, token])),
    .choice(4, .toolCall(ToolCall(id: "2", name: "g", arguments: ""))),
  ]

  #if LocalLlama
    static let options = LocalExecutor.Options(
      contextLength: 1, allowsBeyondTrained: true, parallelRequests: 2, totalContextLength: 3,
      prefixCacheBytes: .max, isDeterministic: true, usesPromptLookup: true, threads: 4,
      prefillThreads: 5, autoTune: .measured, usesTunedCopy: true, queueCapacity: 6,
      unloadsAfter: .seconds(7))

    static let commands: [WorkerCommand] = [
      .open(
        WorkerSettings(
          modelPath: "/m", options: options, memoryLimit: 1 << 40, niceness: 19,
          beat: .milliseconds(15))),
      .start(
        1,
        WorkerOrder(
          request: request, remaining: .seconds(-1), breaking: [.decodeFailed], window: 7)),
      .cancel(2), .drop(3), .credit(4, bytes: 5), .status(6), .measure(7, request), .load(8),
      .unload(9), .prewarm(10, [message], remaining: .seconds(1)),
      .prewarm(11, [], remaining: nil), .close,
    ]
  #endif
}
