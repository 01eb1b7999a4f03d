public import HybridCore

extension GatewayClient {
  /// The calls below `/chat`.
  public struct Chat: Sendable {
    public let completions: ChatCompletions
  }

  public var chat: Chat { Chat(completions: ChatCompletions(client: self)) }
}

/// The protocol's own shapes: raw pieces and whole completions, unknown fields kept.
public struct ChatCompletions: Sendable {
  let client: GatewayClient

  /// Asks for a whole completion, not streamed. Only the connect and total limits hold.
  ///
  /// - Parameter headers: for this call alone; they come before the client's.
  /// - Throws: the gateway's refusal, with every try made; `protocol.…` for an answer that is none;
  ///   `unsupportedFeature` for one with fewer choices than were asked for.
  public func create(
    _ request: ChatRequest, headers: HTTPHeaders = [:],
    in context: ExecutionContext = ExecutionContext()
  ) async throws(HybridError) -> ChatCompletion {
    let call = try client.call(request, in: context, headers: headers, isStream: false)
    let loop = client.loop(for: request.model, in: context, limits: call.limits)
    let completion = try await loop.open { _ async throws(GatewayFailure) in
      try await Self.read(
        try await call.attempt(in: loop), choices: request.choices,
        limits: client.options.responseLimits)
    }
    loop.ledger.end(nil)
    return completion
  }

  /// Streams a completion. Returns once the gateway has accepted the call.
  ///
  /// - Returns: pieces, for one consumer. Dropping the stream ends the call.
  public func stream(
    _ request: ChatRequest, headers: HTTPHeaders = [:],
    in context: ExecutionContext = ExecutionContext()
  ) async throws(HybridError) -> ChatCompletionStream {
    let run: GatewayRun<ChunkAssembly> = try client.run(request, in: context, headers: headers)
    try await run.start()
    return ChatCompletionStream(run: ChatCompletionStream.Run(run))
  }

  private static func read(
    _ accepted: GatewayCall.Accepted, choices: Int, limits: ResponseLimits
  ) async throws(GatewayFailure) -> ChatCompletion {
    do throws(HybridError) {
      var bytes = accepted.beginning
      var body = accepted.body.makeAsyncIterator()
      while bytes.count <= limits.body, let piece = try await body.next() { bytes += piece }
      guard bytes.count <= limits.body else {
        throw HybridError(
          .tooLarge, "the gateway's answer is longer than \(limits.body) bytes",
          nextStep: "Ask for fewer tokens, or raise the limit", side: .remote)
      }
      guard accepted.isJSON else { throw .wrongContentType(accepted.context, body: bytes) }
      let value = try StreamDecoder.json(bytes)
      if let wire = WireError(value) { throw GatewayFailure(accepted.context, wire: wire).error }
      let completion = try ChatCompletion(value, requestID: accepted.context.requestID)
      try completion.require(choices: choices)
      return completion
    } catch {
      accepted.body.cancel()
      throw GatewayFailure(error)
    }
  }
}

/// A streamed completion, piece by piece, for one consumer.
///
/// It ends when the gateway ends it properly, and throws where it was cut off. Dropping it ends the
/// call.
public struct ChatCompletionStream: AsyncSequence, Sendable {
  public typealias Element = ChatCompletionChunk
  public typealias Failure = HybridError

  let run: Run

  public func makeAsyncIterator() -> Iterator {
    Iterator(run: run)
  }

  public struct Iterator: AsyncIteratorProtocol {
    let run: Run

    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(HybridError) -> ChatCompletionChunk? {
      try await run.run.next()
    }
  }

  /// Shared by the stream and its iterators; the last one to go ends the call.
  final class Run: Sendable {
    let run: GatewayRun<ChunkAssembly>

    init(_ run: GatewayRun<ChunkAssembly>) {
      self.run = run
    }

    deinit {
      run.cancel()
    }
  }
}
