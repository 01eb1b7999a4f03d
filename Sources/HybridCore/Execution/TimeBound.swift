/// Runs `work` and returns at `moment` at the latest, even where the work does not heed being
/// cancelled; then its result is dropped.
///
/// - Throws: what the work throws; `timeout` at the moment; `cancelled` when the task is cancelled.
package func withTimeBound<Value: Sendable>(
  _ moment: Moment, time: any TimeSource, timeout: HybridError,
  _ work: @escaping @Sendable () async throws(HybridError) -> Value
) async throws(HybridError) -> Value {
  let channel = EventChannel<Value>(onCancel: {})
  let worker = Task {
    do throws(HybridError) {
      channel.send(try await work())
      channel.finish()
    } catch {
      channel.finish(throwing: error)
    }
  }
  let timer = Task {
    do throws(CancellationError) {
      try await time.sleep(until: moment)
      channel.finish(throwing: timeout)
    } catch {
      // The work was done in time.
    }
  }
  defer {
    worker.cancel()
    timer.cancel()
  }
  guard let value = try await channel.next() else { throw timeout }
  return value
}
