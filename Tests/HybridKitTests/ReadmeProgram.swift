#if LocalLlama
  import HybridKit

  /// The program in the README, compiled so that it cannot rot.
  func readmeProgram() async throws {
    // README: program
    let chat = try HybridChat(
      local: LocalExecutor(model: "SmolLM2-135M-Instruct"),
      gateway: GatewayClient(baseURL: "http://127.0.0.1:8080/v1", model: "gpt-4o-mini"),
      policy: RoutingPolicy(preference: .preferRemote))

    var request = ChatRequest(prompt: "Why is the sky blue?")
    request.sampling = .greedy
    request.maxTokens = 32

    let answer = try await chat.complete(request)
    print(answer.text)
    print("ran on: \(answer.ranOn), because \(answer.reason?.message ?? "it was preferred")")
    // README: end
  }

  func readmeLifeCycle() async throws {
    // README: life cycle
    let model = try LocalExecutor(
      model: "SmolLM2-135M-Instruct", options: .init(unloadsAfter: .seconds(600)))
    try await model.load { fraction in print("loaded: \(Int(fraction * 100)) %") }
    try await model.prewarm([.system("You answer in one sentence.")])
    // … requests …
    try await model.unload()  // localBusy while one runs; the next request loads it again
    await model.close()  // ends what runs, and frees everything
    // README: end
  }
#endif
