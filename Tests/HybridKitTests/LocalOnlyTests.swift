#if LocalLlama
  import CSocketTrap
  import HybridKit
  import HybridTesting
  import Testing

  /// Each test runs in a process of its own, where `socket`, `connect` and `getaddrinfo` count their
  /// calls, from whichever library they come.
  @Suite struct `A process` {
    @Test func `opens no socket and looks no name up under localOnly, on any path`() async {
      await #expect(processExitsWith: .success) {
        let gateway = try GatewayClient(baseURL: "https://gateway.example/v1", model: "any")
        let model = try LocalExecutor(model: "SmolLM2-135M-Instruct")
        var request = ChatRequest(prompt: "Say hello.")
        request.sampling = .greedy
        request.maxTokens = 4

        let chat = HybridChat(
          local: model, gateway: gateway, policy: RoutingPolicy(preference: .localOnly))
        #expect(await chat.plan(request).ranOn == .local)
        #expect(try await chat.complete(request).ranOn == .local)
        for try await _ in try await chat.stream(request) {}

        // The same by a tag and by the request's own preference, beside a willing gateway.
        let remoteFirst = HybridChat(
          local: model, gateway: gateway, policy: RoutingPolicy(preference: .preferRemote))
        request.tags = [.private]
        #expect(try await remoteFirst.complete(request).ranOn == .local)
        request.tags = []
        request.preference = .localOnly
        #expect(try await remoteFirst.complete(request).ranOn == .local)

        // No way out when the model is missing, fails, is too small or is refused.
        let missing = LocalExecutor(modelPath: "/nowhere/model.gguf")
        for local in [missing, nil] {
          let chat = HybridChat(
            local: local, gateway: gateway, policy: RoutingPolicy(preference: .preferRemote))
          await #expect(throws: HybridError.self) { try await chat.complete(request) }
        }
        let failing = ScriptedExecutor.local(
          .failing(HybridError(.decodeFailed, "scripted"), after: "He"))
        let broken = HybridChat(
          local: failing, gateway: gateway, policy: RoutingPolicy(preference: .localOnly))
        await #expect(throws: HybridError.self) { try await broken.complete(request) }
        request.messages = [.user(String(repeating: "word ", count: 20_000))]
        await #expect(throws: HybridError.self) { try await chat.complete(request) }
        await model.close()

        let counts = hybrid_trap_counts()
        #expect(counts.sockets == 0)
        #expect(counts.connects == 0)
        #expect(counts.lookups == 0)
      }
    }

    @Test func `opens no socket and looks no name up for a plan that chooses the gateway`() async {
      await #expect(processExitsWith: .success) {
        let gateway = try GatewayClient(baseURL: "https://gateway.example/v1", model: "any")
        let chat = HybridChat(
          local: try LocalExecutor(model: "SmolLM2-135M-Instruct"), gateway: gateway,
          policy: RoutingPolicy(preference: .preferRemote))
        #expect(await chat.plan(ChatRequest(prompt: "Say hello.")).ranOn == .remote)
        let counts = hybrid_trap_counts()
        #expect(counts.sockets + counts.connects + counts.lookups == 0)
      }
    }

    @Test func `is seen opening a socket when a request may leave it`() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackGateway { _ in [.close] }
        let gateway = try GatewayClient(baseURL: server.baseURL, model: "any")
        let chat = HybridChat(gateway: gateway, policy: RoutingPolicy(preference: .remoteOnly))
        await #expect(throws: HybridError.self) {
          try await chat.complete(ChatRequest(prompt: "Say hello."))
        }
        #expect(hybrid_trap_counts().connects > 0)
      }
    }
  }
#endif
