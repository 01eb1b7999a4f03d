import HybridCore
private import Synchronization

/// One request on its way through a script.
final class ScriptedRun: Sendable {
  private struct State {
    var steps: ArraySlice<Script.Step>
    var pieces = 0
    var isOver = false
  }

  private let script: Script
  private let side: Side
  private let context: ExecutionContext
  private let time: any TimeSource
  private let start: Moment
  private let completion: Completion
  private let onCancel: @Sendable () -> Void
  private let pause = ScriptPause()
  private let state: Mutex<State>

  init(
    script: Script, side: Side, context: ExecutionContext, time: any TimeSource,
    completion: Completion, onCancel: @escaping @Sendable () -> Void
  ) {
    self.script = script
    self.side = side
    self.context = context
    self.time = time
    self.completion = completion
    self.onCancel = onCancel
    start = time.now()
    state = Mutex(State(steps: script.steps[...]))
  }

  /// How a run without a scripted end ends: one token a piece, counted by the script itself.
  static func completion(
    model: String?, measured: PromptMeasurement?, choices: Int
  ) -> Completion {
    let promptTokens = measured.flatMap { if case .counted(let count) = $0 { count } else { nil } }
    return Completion(
      finishReason: .stop,
      otherFinishReasons: Array(repeating: .stop, count: max(0, choices - 1)), model: model,
      usage: Usage(promptTokens: promptTokens, completionTokens: 0, counted: true))
  }

  /// Goes through the opening; throws its failure.
  func open() async throws(HybridError) {
    for step in script.opening {
      // Events before the request is accepted make no sense and are left out.
      _ = try await perform(step)
    }
  }

  func next() async throws(HybridError) -> ExecutorEvent? {
    while true {
      if Task.isCancelled {
        cancel()
        throw fail(.cancelledByTask)
      }
      let (step, isOver) = state.withLock { ($0.steps.popFirst(), $0.isOver) }
      if isOver { return nil }
      if pause.isStopped { return finish(.cancelled) }
      guard let step else { return finish(.stop) }
      if let event = try await perform(step) { return event }
    }
  }

  /// Ends the run in good order: what comes next is `finished` with the reason `cancelled`.
  func cancel() {
    let isOver = state.withLock { $0.isOver }
    if pause.stop(), !isOver { onCancel() }
  }

  private func perform(_ step: Script.Step) async throws(HybridError) -> ExecutorEvent? {
    switch step {
    case .event(.finished(let completion)):
      end(failure: completion.isCancelled ? .cancelledByTask : nil)
      return .finished(completion)
    case .event(let event):
      state.withLock { $0.pieces += 1 }
      return event
    case .failure(let error):
      throw fail(error)
    case .gate(let gate):
      await pause.pass(gate)
    case .wait(let duration):
      if time is NoClock { throw fail(NoClock.waitError) }
      let end = time.now() + duration
      let deadline = context.deadline ?? end
      await pause.sleep(until: min(end, deadline), on: time)
      if deadline < end, !pause.isStopped, !Task.isCancelled {
        throw fail(HybridError(.deadlineExceeded, "the deadline passed while the script waited"))
      }
    }
    if Task.isCancelled {
      cancel()
      throw fail(.cancelledByTask)
    }
    return nil
  }

  private func finish(_ reason: FinishReason) -> ExecutorEvent {
    end(failure: reason == .cancelled ? .cancelledByTask : nil)
    var completion = completion
    completion.finishReason = reason
    completion.otherFinishReasons = completion.otherFinishReasons.map { _ in reason }
    completion.usage?.completionTokens = state.withLock { $0.pieces }
    completion.timings.total = time.now() - start
    return .finished(completion)
  }

  private func fail(_ error: HybridError) -> HybridError {
    end(failure: error)
    var error = error
    error.side = error.side ?? side
    return error
  }

  private func end(failure: HybridError?) {
    let isNews = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isNews else { return }
    context.onAttempt(
      Attempt(
        side: side, failure: failure?.code, status: failure?.gateway?.status,
        duration: time.now() - start))
  }
}
