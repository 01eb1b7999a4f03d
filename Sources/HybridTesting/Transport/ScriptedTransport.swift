public import HybridCore
public import HybridRemote
private import Synchronization

/// A gateway's network without a network: each request gets the next scripted response, and the last
/// one serves all that follow.
///
/// What a real ``GatewayClient`` sends, how often it tries, and what it makes of the bytes can so be
/// tested:
///
/// ```swift
/// let transport = ScriptedTransport(.refusal(503), .answer("Hello"))
/// var options = GatewayOptions()
/// options.transport = transport
/// let client = try GatewayClient(baseURL: "https://gateway.example/v1", options: options)
/// ```
public final class ScriptedTransport: Transport {
  private struct State {
    var exchanges: [ScriptedExchange]
    var requests: [TransportRequest] = []
    var cancellations = 0
  }

  private let time: any TimeSource
  private let state: Mutex<State>

  /// - Parameters:
  ///   - exchanges: one a request, in order; with none, every request gets an empty 200.
  ///   - time: runs `wait` steps and keeps the requests' limits during them. Without it they fail.
  public init(_ exchanges: ScriptedExchange..., time: (any TimeSource)? = nil) {
    self.time = time ?? NoClock()
    state = Mutex(State(exchanges: exchanges.isEmpty ? [ScriptedExchange()] : exchanges))
  }

  /// Everything sent so far, keys included.
  public var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// Exchanges that were ended or dropped before their end.
  public var cancellations: Int { state.withLock { $0.cancellations } }

  public func send(_ request: TransportRequest) async throws(HybridError) -> TransportResponse {
    let exchange = state.withLock { state in
      state.requests.append(request)
      return state.exchanges.count > 1 ? state.exchanges.removeFirst() : state.exchanges[0]
    }
    let run = ExchangeRun(
      exchange, limits: request.limits, time: time,
      onCancel: { [weak self] in self?.state.withLock { $0.cancellations += 1 } })
    try await run.open()
    return TransportResponse(
      status: exchange.status, headers: exchange.headers,
      body: ResponseBody(
        next: { () async throws(HybridError) in try await run.next() }, cancel: { run.cancel() }))
  }
}

/// One exchange on its way through its steps.
private final class ExchangeRun: Sendable {
  private struct State {
    var steps: ArraySlice<ScriptedExchange.Step>
    var isOver = false
    /// When bytes last arrived; nil before the first.
    var lastArrival: Moment?
  }

  private let exchange: ScriptedExchange
  private let limits: TransportLimits
  private let time: any TimeSource
  private let start: Moment
  private let onCancel: @Sendable () -> Void
  private let pause = ScriptPause()
  private let state: Mutex<State>

  init(
    _ exchange: ScriptedExchange, limits: TransportLimits, time: any TimeSource,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.exchange = exchange
    self.limits = limits
    self.time = time
    self.onCancel = onCancel
    start = time.now()
    state = Mutex(State(steps: exchange.steps[...]))
  }

  func open() async throws(HybridError) {
    for step in exchange.opening { _ = try await perform(step) }
  }

  func next() async throws(HybridError) -> [UInt8]? {
    while true {
      try checkCancellation()
      let (step, isOver) = state.withLock { ($0.steps.popFirst(), $0.isOver) }
      guard !isOver, let step else {
        end()
        return nil
      }
      if let bytes = try await perform(step), !bytes.isEmpty {
        state.withLock { $0.lastArrival = time.now() }
        return bytes
      }
    }
  }

  func cancel() {
    let isOver = state.withLock { $0.isOver }
    if pause.stop(), !isOver { onCancel() }
  }

  private func perform(_ step: ScriptedExchange.Step) async throws(HybridError) -> [UInt8]? {
    switch step {
    case .bytes(let bytes):
      return bytes
    case .failure(let error):
      end()
      throw error
    case .gate(let gate):
      await pause.pass(gate)
    case .wait(let duration):
      if time is NoClock { throw NoClock.waitError }
      let moment = time.now() + duration
      let limit = nextLimit()
      await pause.sleep(until: min(moment, limit?.moment ?? moment), on: time)
      try checkCancellation()
      if let limit, limit.moment < moment {
        end()
        throw HybridError(limit.code, "the scripted exchange took longer than its limit")
      }
    }
    try checkCancellation()
    return nil
  }

  private func checkCancellation() throws(HybridError) {
    if Task.isCancelled { cancel() }
    guard pause.isStopped else { return }
    end()
    throw .cancelledByTask
  }

  private func end() {
    state.withLock { $0.isOver = true }
  }

  /// The limit that comes first from where the exchange stands.
  private func nextLimit() -> (moment: Moment, code: ErrorCode)? {
    let lastArrival = state.withLock { $0.lastArrival }
    let silence: (Moment, ErrorCode)? =
      if let lastArrival {
        limits.idle.map { (lastArrival + $0, .timeoutIdle) }
      } else {
        limits.firstByte.map { (start + $0, .timeoutFirstByte) }
      }
    let total: (Moment, ErrorCode)? = limits.total.map { (start + $0, .timeoutTotal) }
    return [silence, total].compactMap(\.self).min { $0.0 < $1.0 }
  }
}
