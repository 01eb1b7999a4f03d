public import HybridCore
private import Synchronization

/// A side that does what a test says: local, remote, or either in turn.
///
/// Neither a model nor a network is touched. Requests and cancellations are recorded. Like a real
/// side it asks for a permit before its attempt and reports the attempt as it ends.
///
/// ```swift
/// let local = ScriptedExecutor.local(.answer("Four."), context: 2048, promptTokens: 3000)
/// let gateway = ScriptedExecutor.remote(.answer("4"))
/// let chat = HybridChat(local: local, gateway: gateway)
/// let plan = await chat.plan(ChatRequest(prompt: "2 + 2?"))
/// #expect(plan.ranOn == .remote)
/// #expect(plan.reason?.code == .contextTooLong)
/// ```
public final class ScriptedExecutor: LocalSide, RemoteSide {
  private struct State {
    var scripts: [Script]
    var localStatus: LocalStatus
    var gatewayStatus: GatewayStatus
    var measure: @Sendable (ChatRequest) -> PromptMeasurement
    var record = Record()
  }

  /// What was asked of the executor so far.
  public struct Record: Sendable {
    /// Every request started, in order, those refused too.
    public var requests: [ChatRequest] = []
    /// The contexts that came with them.
    public var contexts: [ExecutionContext] = []
    /// Runs that were stopped or dropped before their end.
    public var cancellations = 0
    /// How often a status was asked for.
    public var statusReads = 0
    /// How often a prompt was measured.
    public var measurements = 0
  }

  private let side: Side
  private let time: any TimeSource
  private let state: Mutex<State>

  private init(
    side: Side, scripts: [Script], localStatus: LocalStatus, gatewayStatus: GatewayStatus,
    promptTokens: Int, time: any TimeSource
  ) {
    self.side = side
    self.time = time
    state = Mutex(
      State(
        scripts: scripts.isEmpty ? [.answer("scripted answer")] : scripts,
        localStatus: localStatus, gatewayStatus: gatewayStatus,
        measure: { _ in .counted(promptTokens) }))
  }

  /// A local side: a loaded model with an empty queue.
  ///
  /// - Parameters:
  ///   - scripts: one a request, in order; the last one serves all that follow.
  ///   - model: the name that it goes by.
  ///   - context: tokens that one request gets.
  ///   - promptTokens: the count given for every prompt; see ``measure``.
  ///   - time: measures attempts and runs `wait` steps, which fail without it. Give it, and the chat,
  ///     one ``ManualClock``.
  public static func local(
    _ scripts: Script..., model: String = "scripted", context: Int = 2048, promptTokens: Int = 20,
    time: (any TimeSource)? = nil
  ) -> ScriptedExecutor {
    ScriptedExecutor(
      side: .local, scripts: scripts, localStatus: .ready(model: model, context: context),
      gatewayStatus: .available, promptTokens: promptTokens,
      time: time ?? NoClock())
  }

  /// A gateway that nothing is known against.
  ///
  /// - Parameters:
  ///   - scripts: one a request, in order; the last one serves all that follow.
  ///   - status: what it says of itself before it is asked anything.
  ///   - time: measures attempts and runs `wait` steps, which fail without it. Give it, and the chat,
  ///     one ``ManualClock``.
  public static func remote(
    _ scripts: Script..., status: GatewayStatus = .available,
    time: (any TimeSource)? = nil
  ) -> ScriptedExecutor {
    ScriptedExecutor(
      side: .remote, scripts: scripts, localStatus: .ready(), gatewayStatus: status,
      promptTokens: 20, time: time ?? NoClock())
  }

  /// What it says of itself as a local side. May be changed between requests.
  public var localStatus: LocalStatus {
    get { state.withLock { $0.localStatus } }
    set { state.withLock { $0.localStatus = newValue } }
  }

  /// What it says of itself as a gateway. May be changed between requests.
  public var gatewayStatus: GatewayStatus {
    get { state.withLock { $0.gatewayStatus } }
    set { state.withLock { $0.gatewayStatus = newValue } }
  }

  /// What it says of a prompt's length.
  public var measure: @Sendable (ChatRequest) -> PromptMeasurement {
    get { state.withLock { $0.measure } }
    set { state.withLock { $0.measure = newValue } }
  }

  public var record: Record {
    state.withLock { $0.record }
  }

  /// The requests started so far, those refused too.
  public var requests: [ChatRequest] {
    record.requests
  }

  public func status(model: String?) async -> LocalStatus {
    state.withLock { state in
      state.record.statusReads += 1
      return state.localStatus
    }
  }

  public func status(model: String?) async -> GatewayStatus {
    state.withLock { state in
      state.record.statusReads += 1
      return state.gatewayStatus
    }
  }

  public func measure(_ request: ChatRequest) async -> PromptMeasurement {
    let measure = state.withLock { state in
      state.record.measurements += 1
      return state.measure
    }
    return measure(request)
  }

  public func start(
    _ request: ChatRequest, in context: ExecutionContext
  ) async throws(HybridError) -> ExecutorStream {
    let (script, model) = state.withLock { state in
      state.record.requests.append(request)
      state.record.contexts.append(context)
      let script = state.scripts.count > 1 ? state.scripts.removeFirst() : state.scripts[0]
      return (script, side == .local ? state.localStatus.model.name : request.model)
    }
    if let refusal = context.permit?(1) { throw refusal }

    let measured = side == .local ? state.withLock { $0.measure }(request) : nil
    let run = ScriptedRun(
      script: script, side: side, context: context, time: time,
      completion: ScriptedRun.completion(
        model: model, measured: measured, choices: request.choices),
      onCancel: { [weak self] in self?.state.withLock { $0.record.cancellations += 1 } })
    try await run.open()
    return ExecutorStream(
      next: { () async throws(HybridError) in try await run.next() }, cancel: { run.cancel() })
  }
}

extension LocalStatus {
  /// A loaded model with an empty queue.
  public static func ready(model: String = "scripted", context: Int = 2048) -> LocalStatus {
    LocalStatus(
      model: LocalModelInfo(name: model, path: "\(model).gguf"), state: .ready,
      contextLength: context, features: Feature.sampling)
  }
}

extension GatewayStatus {
  /// A gateway that nothing is known against.
  public static let available = GatewayStatus(origin: "https://gateway.example")
}
