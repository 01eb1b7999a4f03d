import HybridCore
import HybridKit
import HybridRemote
import HybridRouting
import HybridTesting
import Testing

@Suite struct `Several choices` {
  private let request = {
    var request = ChatRequest(prompt: "2 + 2?")
    request.choices = 3
    return request
  }()

  private static let mixed = Script(steps: [
    .event(.choice(2, .text("vi"))), .event(.text("Fo")), .event(.choice(1, .reasoning("hm"))),
    .event(.choice(1, .text("4"))), .event(.text("ur")), .event(.choice(2, .text("er"))),
    .event(
      .finished(
        Completion(finishReason: .stop, otherFinishReasons: [.length, .contextFull], model: "m"))),
  ])

  @Test func `are told apart in the answer, each with its end`() async throws {
    for side in Side.allCases {
      let chat = HybridChat(
        local: side == .local ? ScriptedExecutor.local(Self.mixed) : nil,
        gateway: side == .remote ? ScriptedExecutor.remote(Self.mixed) : nil)
      let answer = try await chat.complete(request)
      #expect(answer.ranOn == side)
      #expect(answer.text == "Four")
      #expect(answer.choices.map(\.text) == ["Four", "4", "vier"])
      #expect(answer.choices.map(\.reasoning) == [nil, "hm", nil])
      #expect(answer.choices.map(\.finishReason) == [.stop, .length, .contextFull])
      #expect(answer.otherChoices == Array(answer.choices.dropFirst()))
      let others = answer.json["otherChoices"]?.array
      #expect(others?.count == 2)
      #expect(others?[1]["text"] == "vier")
      #expect(others?[1]["finishReason"] == "contextFull")
      // A gateway that counts nothing: an estimate of all of them.
      #expect(answer.usage?.completionTokens == TokenEstimate(bytes: 11).tokens)
    }
  }

  @Test func `come mixed in a stream, the first one's pieces as ever`() async throws {
    let chat = HybridChat(local: ScriptedExecutor.local(Self.mixed))
    var pieces: [String] = []
    for try await event in try await chat.stream(request) {
      switch event {
      case .text(let text): pieces.append(text)
      case .choice(let choice, .text(let text)): pieces.append("\(choice) \(text)")
      case .choice(let choice, .reasoning(let text)): pieces.append("\(choice) (\(text))")
      default: break
      }
    }
    #expect(pieces == ["2 vi", "Fo", "1 (hm)", "1 4", "ur", "2 er"])
  }

  @Test func `of which one has begun keep the other side from taking over`() async throws {
    let broken = Script(steps: [
      .event(.choice(2, .text("vi"))), .failure(HybridError(.truncated, "scripted")),
    ])
    let chat = HybridChat(
      local: ScriptedExecutor.local(.choices("a", "b", "c")),
      gateway: ScriptedExecutor.remote(broken), policy: RoutingPolicy(preference: .preferRemote))
    let stream = try await chat.stream(request)
    let error = await #expect(throws: HybridError.self) { for try await _ in stream {} }
    #expect(error?.code == .interrupted)
    #expect(error?.committed == true)
    // Where nothing is handed out it may, and nothing of the first side is left.
    let answer = try await chat.complete(request)
    #expect(answer.ranOn == .local)
    #expect(answer.choices.map(\.text) == ["a", "b", "c"])
  }

  @Test func `that a gateway does not give come from the local side`() async throws {
    let few = HybridError(
      .unsupportedFeature, "the gateway gave 1 of the 3", details: ["features": ["choices"]])
    let chat = HybridChat(
      local: ScriptedExecutor.local(.choices("a", "b", "c")),
      gateway: ScriptedExecutor.remote(.failing(few, after: "x")),
      policy: RoutingPolicy(preference: .preferRemote))
    let answer = try await chat.complete(request)
    #expect(answer.reason?.code == .remoteFailed)
    #expect(answer.reason?.details["code"] == "unsupportedFeature")
    #expect(answer.choices.map(\.text) == ["a", "b", "c"])
  }

  @Test func `stopped in good order have what there is of each`() async throws {
    let gate = Gate()
    let script = Script(steps: [
      .event(.text("a")), .event(.choice(1, .text("b"))), .gate(gate), .event(.text("never")),
    ])
    let chat = HybridChat(local: ScriptedExecutor.local(script))
    let stream = try await chat.stream(request)
    var answer: Answer?
    for try await event in stream {
      if case .choice(1, _) = event { stream.cancel() }
      if case .done(let done) = event { answer = done }
    }
    #expect(answer?.choices.map(\.text) == ["a", "b", ""])
    #expect(answer?.choices.map(\.finishReason) == [.cancelled, .cancelled, .cancelled])
    #expect(answer?.attempts.map(\.outcome) == ["cancelled"])
  }

  @Test func `are cancelled where only a further one was`() async throws {
    let end = Completion(finishReason: .stop, otherFinishReasons: [.stop, .cancelled])
    let chat = HybridChat(
      local: ScriptedExecutor.local(Script(steps: [.event(.text("a")), .event(.finished(end))])))
    #expect(try await chat.complete(request).attempts.map(\.outcome) == ["cancelled"])
  }

  static let strange: [Script] = [
    Script(steps: [.event(.text("a")), .event(.finished(Completion(finishReason: .stop)))]),
    Script(steps: [.event(.choice(3, .text("a")))]),
    Script(steps: [
      .event(
        .finished(
          Completion(finishReason: .stop, otherFinishReasons: [.stop, .stop, .stop])))
    ]),
  ]

  @Test(arguments: strange)
  func `are an error where a side gives others than were asked for`(_ script: Script) async {
    let chat = HybridChat(local: ScriptedExecutor.local(script))
    let error = await #expect(throws: HybridError.self) { try await chat.complete(request) }
    #expect(error?.code == .internal)
    #expect(error?.details["choices"] == 3)
  }

  @Test func `stay away from a gateway that lacks them, in the plan`() async throws {
    var options = GatewayOptions()
    options.profile = ServerProfile(lacks: [.choices])
    let gateway = try GatewayClient(baseURL: "http://127.0.0.1:9/v1", options: options)
    let chat = HybridChat(
      local: ScriptedExecutor.local(.choices("a", "b", "c")), gateway: gateway,
      policy: RoutingPolicy(preference: .preferRemote))
    let answer = try await chat.complete(request)
    #expect(answer.ranOn == .local)
    #expect(answer.reason?.code == .unsupportedFeature)
    #expect(
      answer.reason?.message == "http://127.0.0.1:9 cannot do choices")
    #expect(answer.plan.fallback == nil)
    #expect(answer.plan.counterfactual == "remote would run if the request did without choices")
    let plain = await chat.plan(ChatRequest(prompt: "2 + 2?"))
    #expect(plain.ranOn == .remote)
  }

  @Test func `go to the gateway where the local queue never has so many places`() async throws {
    let local = ScriptedExecutor.local()
    local.localStatus.queue.capacity = 2
    let chat = HybridChat(local: local, gateway: ScriptedExecutor.remote(Self.mixed))
    let plan = await chat.plan(request)
    #expect(plan.ranOn == .remote)
    #expect(plan.reason?.code == .unsupportedFeature)
    #expect(
      plan.reason?.message == "the local side cannot do 3 choices: its queue takes 2")
    local.localStatus.queue = QueueStatus(depth: 2, capacity: 4)
    let busy = await chat.plan(request)
    #expect(busy.reason?.code == .localBusy)
    #expect(busy.reason?.message.hasPrefix("the local queue has no room for 3 choices") == true)
    var two = request
    two.choices = 2
    #expect(await chat.plan(two).ranOn == .local)
  }

  @Test func `out of their range are refused before anything is counted`() async {
    let local = ScriptedExecutor.local()
    for choices in [0, -3, 129] {
      var request = request
      request.choices = choices
      let error = await #expect(throws: HybridError.self) {
        try await HybridChat(local: local).complete(request)
      }
      #expect(error?.code == .invalidRequest)
    }
    #expect(local.record.measurements == 0)
  }
}
