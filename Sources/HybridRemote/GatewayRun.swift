internal import HybridCore
private import Synchronization

/// A streamed call: opens it, reads it, and opens it again where that is allowed.
///
/// Pulled by one consumer. Nothing happens between two calls of ``next()``.
final class GatewayRun<Assembly: StreamAssembly>: Sendable {
  typealias Output = Assembly.Output

  /// The answer as far as it was read.
  private struct Reading: Sendable {
    var accepted: GatewayCall.Accepted
    var decoder: StreamDecoder
    var assembly: Assembly

    /// The limit that runs while there are only keep-alives.
    var firstEvent: FirstEventLimit? {
      decoder.hasBytes && !decoder.hasBegun ? accepted.firstEvent : nil
    }
  }

  private struct State: Sendable {
    var reading: Reading?
    var pending: [Output] = []
    var firstOutput: Moment?
    /// True once output was handed to the caller.
    var isCommitted = false
    var hasEnded = false
  }

  private struct Control {
    var isCancelled = false
    /// Ends what is under way.
    var stop: (@Sendable () -> Void)?
  }

  private let call: GatewayCall
  private let choices: Int
  private let loop: RetryLoop
  private let begun: Moment
  /// nil while a consumer is inside ``next()``.
  private let state: Mutex<State?>
  private let control = Mutex(Control())

  private var time: any TimeSource { call.client.options.time }

  /// - Parameter choices: asked for by the call.
  init(_ call: GatewayCall, choices: Int, loop: RetryLoop) {
    self.call = call
    self.choices = choices
    self.loop = loop
    begun = call.client.options.time.now()
    state = Mutex(State())
  }

  /// Returns once the gateway has accepted the call.
  func start() async throws(HybridError) {
    let reading = try await open()
    state.withLock { $0?.reading = reading }
  }

  /// The next output, nil after the last.
  func next() async throws(HybridError) -> Output? {
    guard var state = state.withLock({ $0.take() }) else {
      throw HybridError(
        .invalidRequest, "two consumers read one answer", nextStep: "Read it in one place",
        side: .remote)
    }
    let result: Result<Output?, HybridError>
    do throws(HybridError) {
      result = .success(try await next(&state))
    } catch {
      // Nothing comes after an error, not even what had come before it.
      state.hasEnded = true
      state.pending = []
      state.reading?.accepted.body.cancel()
      result = .failure(error)
    }
    self.state.withLock { [state] in $0 = state }
    return try result.get()
  }

  /// Asks for an orderly stop: what has arrived comes out, then the end.
  func cancel() {
    let stop = control.withLock { control in
      control.isCancelled = true
      return control.stop
    }
    stop?()
    // Whoever dropped the answer never comes back for its end.
    loop.ledger.end(.cancelled)
  }

  private var isCancelled: Bool { control.withLock { $0.isCancelled } }

  /// Output is kept until the answer has ended: then a failure in its middle can still be made good by
  /// another try, and whoever reads never sees the first one's half.
  private var holdsOutput: Bool { loop.context.collects }

  // MARK: Reading

  private func next(_ state: inout State) async throws(HybridError) -> Output? {
    while true {
      if !state.pending.isEmpty, state.hasEnded || !holdsOutput {
        let output = state.pending.removeFirst()
        if Assembly.isOutput(output) { state.isCommitted = true }
        return output
      }
      if state.hasEnded { return nil }
      do throws(GatewayFailure) {
        try await advance(&state)
      } catch {
        try await fail(&state, error)
      }
    }
  }

  /// Reads as far as there is something to hand out, which may be the whole answer.
  private func advance(_ state: inout State) async throws(GatewayFailure) {
    guard var reading = state.reading else {
      throw GatewayFailure(.cancelledByTask)
    }
    defer { state.reading = reading }
    do throws(HybridError) {
      while !state.hasEnded, state.pending.isEmpty || holdsOutput {
        // One at a time: what came before a failure is handed out before the failure is looked at.
        if let item = try reading.decoder.next() {
          try take(item, &reading, &state)
          continue
        }
        if let bytes = try await reading.accepted.body.next(by: reading.firstEvent) {
          try reading.decoder.push(bytes)
          continue
        }
        for item in try reading.decoder.finish() {
          try take(item, &reading, &state)
          if state.hasEnded { return }
        }
        try endOfBody(&reading, &state)
      }
    } catch let error {
      // Finish reasons are what an answer needs to be whole; a connection that breaks, or stays open
      // and silent, after it takes nothing away.
      if reading.assembly.isWhole, error.isOfConnection {
        do throws(HybridError) {
          return try finish(&reading, &state)
        } catch {
          throw GatewayFailure(error)
        }
      }
      throw streamFailure(error, reading)
    }
  }

  private func take(
    _ item: StreamDecoder.Item, _ reading: inout Reading, _ state: inout State
  ) throws(HybridError) {
    switch item {
    case .chunk(let chunk):
      let outputs = try reading.assembly.read(chunk)
      if state.firstOutput == nil, outputs.contains(where: Assembly.isOutput) {
        state.firstOutput = time.now()
      }
      state.pending += outputs
      if reading.assembly.hasFailed {
        throw HybridError(
          .server,
          "\(reading.accepted.context.origin) ended its answer with an error it did not name",
          nextStep: "Try again; if it recurs look at the gateway's log", side: .remote)
      }
    case .error(let wire):
      throw GatewayFailure(reading.accepted.context, wire: wire).error
    case .done:
      try finish(&reading, &state)
    }
  }

  private func endOfBody(_ reading: inout Reading, _ state: inout State) throws(HybridError) {
    guard reading.assembly.isWhole else {
      throw HybridError(
        .truncated,
        "\(reading.accepted.context.origin) ended its answer without saying that it is whole",
        nextStep: "Try again; if it recurs look at the gateway and the proxies before it",
        side: .remote)
    }
    try finish(&reading, &state)
  }

  private func finish(_ reading: inout Reading, _ state: inout State) throws(HybridError) {
    let now = time.now()
    let timings = Timings(
      firstToken: state.firstOutput.map { $0 - begun }, total: now - begun)
    state.pending += try reading.assembly.finish(
      AnswerEnding(
        isCancelled: false, requestID: reading.accepted.context.requestID, timings: timings))
    state.hasEnded = true
    loop.ledger.end(nil)
    // From here on there is nothing to stop, and the connection may serve the next call.
    control.withLock { $0.stop = nil }
    reading.accepted.body.finish()
  }

  // MARK: Failing

  private func fail(_ state: inout State, _ failure: GatewayFailure) async throws(HybridError) {
    state.reading?.accepted.body.cancel()
    if isCancelled {
      try endCancelled(&state)
      return
    }
    // A body may end in many ways when its reader is cancelled, by the transport that it comes from.
    let failure = Task.isCancelled ? GatewayFailure(.cancelledByTask) : failure
    do throws(HybridError) {
      try await recover(from: failure, isCommitted: state.isCommitted)
      state.pending = []
      state.firstOutput = nil
      state.reading = try await open(after: failure.error)
    } catch {
      if isCancelled, !Task.isCancelled { return try endCancelled(&state) }
      var error = error
      error.committed = state.isCommitted
      if let text = state.reading?.assembly.text, !text.isEmpty { error.partialText = text }
      throw error
    }
  }

  private func endCancelled(_ state: inout State) throws(HybridError) {
    loop.ledger.end(.cancelled)
    var assembly = state.reading?.assembly ?? Assembly(choices: choices)
    state.pending += try assembly.finish(
      AnswerEnding(
        isCancelled: true, requestID: state.reading?.accepted.context.requestID,
        timings: Timings(
          firstToken: state.firstOutput.map { $0 - begun }, total: time.now() - begun)))
    state.hasEnded = true
  }

  private func streamFailure(_ error: HybridError, _ reading: Reading) -> GatewayFailure {
    var error = error
    if error.gateway == nil {
      error.gateway = GatewayResponseInfo(
        status: reading.accepted.context.status, requestID: reading.accepted.context.requestID)
    }
    return GatewayFailure(error)
  }

  // MARK: Opening

  private func open(after previous: HybridError? = nil) async throws(HybridError) -> Reading {
    let accepted = try await interruptibly { [self] () async throws(HybridError) in
      try await loop.open(after: previous) { _ async throws(GatewayFailure) in
        try await call.attempt(in: loop)
      }
    }
    var decoder = StreamDecoder(
      isJSON: accepted.isJSON, limits: call.client.options.responseLimits)
    try decoder.push(accepted.beginning)
    let body = accepted.body
    let isCancelled = control.withLock { control in
      control.stop = { body.cancel() }
      return control.isCancelled
    }
    if isCancelled { body.cancel() }
    return Reading(accepted: accepted, decoder: decoder, assembly: Assembly(choices: choices))
  }

  private func recover(
    from failure: GatewayFailure, isCommitted: Bool
  ) async throws(HybridError) {
    try await interruptibly { [loop] () async throws(HybridError) in
      try await loop.recover(from: failure, afterOutput: isCommitted)
    }
  }

  /// Runs `work` so that ``cancel()`` ends it, as the cancelling of this task does.
  private func interruptibly<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(HybridError) -> Value
  ) async throws(HybridError) -> Value {
    let task = Task { () async -> Result<Value, HybridError> in
      do throws(HybridError) {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    }
    let isCancelled = control.withLock { control in
      control.stop = { task.cancel() }
      return control.isCancelled
    }
    if isCancelled { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}

extension HybridError {
  /// True where the way failed, not what came along it.
  fileprivate var isOfConnection: Bool {
    switch code {
    case .connectionReset, .truncated, .timeoutIdle, .timeoutTotal, .timeoutFirstByte: true
    default: false
    }
  }
}
