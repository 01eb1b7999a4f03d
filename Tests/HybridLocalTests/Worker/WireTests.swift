import HybridCore
import HybridLocal
import Testing

/// What crosses between a worker and its parent comes out as it went in, every field of it.
@Suite struct WireTests {
  /// Through text, as on the wire.
  private func crossed(_ wire: JSONValue) throws -> JSONValue {
    var frames = FrameReader(limit: WireFrame.longestReply)
    frames.append(WireFrame.bytes(wire))
    return try WireFrame.message(try #require(try frames.next()))
  }

  private func crossed<Value: WireValue>(_ value: Value) throws -> Value {
    try Value(wire: try crossed(value.wire))
  }

  /// The stored properties that both have alike. A property that is added later is among them, until
  /// the sample sets it.
  private func unset<Value>(_ sample: Value, _ plain: Value) -> [String] {
    zip(Mirror(reflecting: sample).children, Mirror(reflecting: plain).children).compactMap {
      String(describing: $0.value) == String(describing: $1.value) ? $0.label : nil
    }
  }

  private func expectCrossing<Value: WireValue & Equatable>(
    _ sample: Value, plain: Value, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(unset(sample, plain) == [], "the sample leaves these out", sourceLocation: location)
    #expect(try crossed(sample) == sample, sourceLocation: location)
    #expect(try crossed(plain) == plain, sourceLocation: location)
  }

  @Test func `a request crosses with every field`() throws {
    try expectCrossing(WireSamples.request, plain: ChatRequest(messages: []))
    try expectCrossing(
      WireSamples.message, plain: ChatMessage(role: .user, content: []))
    try expectCrossing(WireSamples.sampling, plain: Sampling())
    try expectCrossing(
      ToolDefinition(name: "n", description: "d", parameters: ["type": "object"]),
      plain: ToolDefinition(name: ""))
    try expectCrossing(
      ToolCall(id: "1", name: "f", arguments: "{}"),
      plain: ToolCall(id: "", name: "", arguments: "")
    )
    let nullSchema = ToolDefinition(name: "n", parameters: .null)
    #expect(try crossed(nullSchema) == nullSchema)
  }

  @Test func `an end crosses with every field`() throws {
    try expectCrossing(WireSamples.completion, plain: Completion(finishReason: .stop))
    try expectCrossing(
      WireSamples.usage, plain: Usage(promptTokens: nil, completionTokens: nil, counted: false))
    try expectCrossing(WireSamples.timings, plain: Timings())
    try expectCrossing(
      ThreadCounts(decode: 3, prefill: 4), plain: ThreadCounts(decode: 0, prefill: 0))
  }

  @Test(arguments: WireSamples.events)
  func `an event crosses`(event: ExecutorEvent) throws {
    #expect(try crossed(event) == event)
  }

  @Test func `a token with its log-probability crosses with every field`() throws {
    let plain = TokenLogProb(text: "", bytes: nil, token: nil, logProb: 0)
    try expectCrossing(WireSamples.token, plain: plain)
    try expectCrossing(
      try #require(WireSamples.token.alternatives.first),
      plain: TokenLogProb.Alternative(text: "", bytes: nil, token: nil, logProb: 0))
    let never = TokenLogProb(text: "", bytes: nil, token: nil, logProb: -.infinity)
    #expect(try crossed(never).logProb == -1e9)
  }

  @Test func `an error crosses with every field but the one of any type`() throws {
    let plain = HybridError(.internal, "")
    let sample = WireSamples.error
    #expect(unset(sample, plain) == ["underlying"])
    let error = try crossed(sample)
    for (one, other) in zip(Mirror(reflecting: error).children, Mirror(reflecting: sample).children)
    {
      #expect(
        String(describing: one.value) == String(describing: other.value), "\(one.label ?? "")")
    }
    try expectCrossing(try #require(sample.gateway), plain: GatewayResponseInfo())
    try expectCrossing(
      WireSamples.attempt, plain: Attempt(side: .local, failure: nil, duration: .zero))
  }

  @Test func `a state crosses with every field, its moments by the time until then`() throws {
    let (here, there) = (Moment(sinceOrigin: .seconds(1000)), Moment(sinceOrigin: .seconds(7)))
    let failure = ModelFailure(
      .engineLost, until: here + .milliseconds(2500), message: "m", nextStep: "n",
      details: ["d": 1])
    #expect(unset(failure, ModelFailure(.internal)) == [])
    let states: [LocalStatus.State] = [
      .missing, .notLoaded, .ready, .loading(remaining: nil), .loading(remaining: .seconds(3)),
      .failed(failure),
    ]
    for state in states {
      let status = LocalStatus(
        model: LocalModelInfo(name: "a", path: "/a"), state: state, contextLength: 512,
        memory: MemoryNeed(needed: 1, available: 2),
        queue: QueueStatus(depth: 1, capacity: 2, expectedWait: .seconds(4)),
        features: [.topK, .choices], loadFraction: 0.25)
      #expect(
        try LocalStatus(wire: try crossed(status.wire(at: here)), at: here) == status)
      let away = try LocalStatus(wire: try crossed(status.wire(at: here)), at: there)
      if case .failed(let failure) = away.state {
        #expect(failure.until == there + .milliseconds(2500))
      }
      let plain = LocalStatus(
        model: LocalModelInfo(name: "", path: ""), state: .missing, contextLength: nil)
      if state != .missing { #expect(unset(status, plain) == []) }
    }
    let measurements: [PromptMeasurement] = [
      .counted(17), .templateRejected(message: "no", details: ["a": [1]]), .unavailable(failure),
    ]
    for length in measurements {
      #expect(try PromptMeasurement(wire: try crossed(length.wire(at: here)), at: here) == length)
    }
  }

  @Test func `any text and any number crosses`() throws {
    for text in ["", "\u{0}\u{1F}\"\\/", "e\u{301}é", "👩‍👩‍👧", "\u{FFFD}\u{FEFF}\u{2028}", "\r\n"] {
      let crossedText = try crossed(text)
      #expect(Array(crossedText.utf8) == Array(text.utf8))
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let number = Double(bitPattern: random.next())
      if number.isFinite { #expect(try crossed(number) == number) }
      let count = Int(truncatingIfNeeded: random.next())
      #expect(try crossed(count) == count)
      let time = Duration(
        secondsComponent: Int64(count >> 2),
        attosecondsComponent: Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
          * (count < 0 ? -1 : 1))
      #expect(try crossed(time) == time)
    }
  }

  @Test func `a field that is missing, unknown or of another kind is refused by name`() throws {
    guard case .object(var fields) = WireSamples.usage.wire else { return }
    fields["counted"] = nil
    #expect(throws: WireError.self) { try Usage(wire: .object(fields)) }
    fields["counted"] = true
    fields["more"] = 1
    #expect(throws: WireError.self) { try Usage(wire: .object(fields)) }
    fields["more"] = nil
    for value in [-1, .int(1 << 60), "7", 1.5] as [JSONValue] {
      fields["promptTokens"] = value
      let error = #expect(throws: WireError.self) { try Usage(wire: .object(fields)) }
      #expect(error?.problem.hasPrefix("promptTokens: ") == true)
    }
  }

  /// Each of these would end the process in a sum or a conversion, if it came in.
  @Test func `numbers that cannot be calculated with are refused`() {
    let huge: JSONValue = [.int(.max), 0]
    #expect(throws: WireError.self) {
      try Attempt(wire: ["side": "local", "failure": nil, "status": nil, "duration": huge])
    }
    #expect(throws: WireError.self) {
      try QueueStatus(wire: ["depth": -1, "capacity": .int(.max), "expectedWait": [0, 0]])
    }
    #expect(throws: WireError.self) {
      try TokenLogProb.Alternative(
        wire: ["text": "", "bytes": nil, "token": nil, "logProb": 1e300])
    }
    #expect(throws: WireError.self) { try Duration(wire: [1, .int(.max)]) }
  }

  #if LocalLlama
    @Test func `the options of an executor cross with every field`() throws {
      try expectCrossing(WireSamples.options, plain: LocalExecutor.Options())
    }

    @Test(arguments: WireSamples.commands)
    func `a command crosses`(command: WorkerCommand) throws {
      #expect(try crossed(command) == command)
    }
  #endif
}
