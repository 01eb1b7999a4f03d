#if LocalLlama
  public import HybridCore

  extension LocalExecutor {
    /// Loads the model and computes how later conversations begin, so that the first of them need not.
    ///
    /// What is computed goes into the prefix cache, as a finished request's tokens do, and the next
    /// request that begins alike tells it in its `usage.cachedTokens`. It waits in the queue like a
    /// request, and counts as one. Where ``Options/isDeterministic``, whole chunks of 128 tokens count;
    /// a recurrent model's state serves the next such request alone.
    ///
    /// - Parameters:
    ///   - messages: what the conversations have in common, such as their system message. Where the
    ///     last is the user's or a tool's, the whole prompt of that request.
    ///   - deadline: the time that it may take.
    /// - Returns: the tokens that later prompts find computed.
    /// - Throws: as ``start(_:in:)``, and as its stream does. Cancelling the task ends it within one
    ///   step; what was computed by then stays.
    @discardableResult
    public func prewarm(
      _ messages: [ChatMessage], deadline: Duration? = nil
    ) async throws(HybridError) -> Int {
      let received = time.now()
      let facts = try await facts()
      let prompt = try await commonTokens(of: messages, deadline: deadline, by: facts)
      if prompt.isEmpty {
        try await load()
        return 0
      }
      try Self.requireRoom(for: prompt.count, in: await contextLength(for: facts))
      // One token, which nobody asked for and whose text is dropped: to choose it costs nothing, and
      // that it could be chosen shows that the numbers are sound.
      let request = EngineRequest(
        prompt: prompt, sampler: .greedy, maxTokens: 1,
        deadline: deadline.map { received + $0 }, received: received)
      let (engine, job) = try await withEngine(for: facts) { engine throws(HybridError) in
        try Self.requireRoom(for: prompt.count, in: engine.options.contextLength)
        return (engine, try engine.submit(request))
      }
      do throws(HybridError) {
        // Until the end; a failure is thrown out of it.
        while try await job.events.next() != nil {}
      } catch {
        engine.cancel(job.id)
        throw error
      }
      return prompt.count
    }

    /// The tokens that all conversations share that begin with these messages.
    private func commonTokens(
      of messages: [ChatMessage], deadline: Duration?, by facts: ModelFacts
    ) async throws(HybridError) -> [Token] {
      func request(_ further: [ChatMessage]) throws(HybridError) -> ChatRequest {
        var request = ChatRequest(messages: messages + further)
        request.deadline = deadline
        try request.validate()
        try requireSupport(for: request)
        return request
      }
      if let last = messages.last?.role, last == .user || last == .tool {
        return try await prompt(of: request([]), by: facts).tokens
      }
      // A template may refuse a conversation in which nobody asks. Two questions have nothing in
      // common: what both prompts begin with is what came before.
      let first = try await prompt(of: request([.user("a")]), by: facts).tokens
      let second = try await prompt(of: request([.user("1")]), by: facts).tokens
      return Array(first.prefix(commonPrefix(first, second)))
    }
  }
#endif
