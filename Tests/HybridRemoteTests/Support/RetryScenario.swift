import HybridCore
import HybridRemote
import HybridTesting

/// Tests of the one loop that tries again, each on a clock of its own that moves when all wait.
protocol RetryScenario: Sendable {
  var clock: ManualClock { get }
}

extension RetryScenario {
  /// Runs on a clock whose waits pass at once; tells how long they were.
  func run(
    _ transport: ClosureTransport, context: ExecutionContext = ExecutionContext(),
    change: @escaping (inout GatewayOptions) -> Void = { _ in }
  ) async throws -> (collected: Collected, failure: HybridError?, waited: Duration) {
    let client = try GatewayClient.scripted(transport, time: clock, change: change)
    let begun = clock.now()
    let isDone = Flag(false)
    async let result = Self.collect(client, context, isDone)
    await clock.advance(untilDone: { isDone.value })
    let (collected, failure) = await result
    return (collected, failure, clock.now() - begun)
  }

  static func collect(
    _ client: GatewayClient, _ context: ExecutionContext, _ isDone: Flag
  ) async -> (collected: Collected, failure: HybridError?) {
    let result = await Collected.run(client, in: context)
    isDone.set(true)
    return result
  }

  static func good() -> TransportResponse { .scripted(stream(text("a"), "[DONE]")) }

  /// Fails with these, one after the other, then answers well.
  func failing(_ responses: @escaping @Sendable () -> TransportResponse, times: Int)
    -> ClosureTransport
  {
    ClosureTransport { number, _ in number <= times ? responses() : Self.good() }
  }
}
