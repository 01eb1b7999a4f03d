#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// Requests of random lengths, with random cancels and deadlines, many at once; then what is left.
  struct RandomRequests {
    let options: Options
    let count: Int

    private struct Plan {
      var prompt: String
      var tokens: Int
      /// Pieces after which it is cancelled.
      var cancelAfter: Int?
      var deadline: Duration?
    }

    /// - Returns: false where anything was left behind.
    func run() async throws -> Bool {
      let executor = LocalExecutor(
        modelPath: options.model,
        options: .init(
          contextLength: 512, parallelRequests: 4, totalContextLength: 1024,
          threads: options.threads, queueCapacity: 64))
      // What a process opens only once is open then.
      try await executor.load()
      try await executor.unload()
      let before = await ProcessCounts.settled()
      try await executor.load()
      var random = SystemRandomNumberGenerator()
      var ends: [String: Int] = [:]
      var resident: [Int] = []
      for hundred in stride(from: 0, to: count, by: 50) {
        let plans = (hundred..<min(count, hundred + 50)).map { Self.plan($0, &random) }
        for end in await Self.ends(of: plans, executor) { ends[end, default: 0] += 1 }
        resident.append(try ProcessCounts.residentBytes() >> 20)
      }
      let all = ends.values.reduce(0, +)
      print("\(all) of \(count) requests ended once: \(ends.sorted { $0.key < $1.key })")
      let depth = await executor.status().queue.depth
      let cells = executor.runningCells
      print("requests inside: \(depth)   (aim: 0)")
      print("cells held by requests: \(cells)   (aim: 0)")
      // The whole of the context is there for one.
      let words = String(repeating: "one two three four five six seven eight ", count: 55)
      var last: Completion?
      for try await event in try await executor.start(
        ChatRequest(messages: [.user(words)], sampling: .greedy, maxTokens: 200),
        in: ExecutionContext())
      {
        if case .finished(let completion) = event { last = completion }
      }
      print("a request of all the context ended with: \(last?.finishReason.rawValue ?? "nothing")")
      print("resident: \(resident.map(String.init).joined(separator: ", ")) MiB")
      await executor.close()
      let after = await ProcessCounts.settled()
      print(
        "after close: \(after.engineThreads) threads, \(after.descriptors) descriptors   "
          + "(aim: 0, \(before.descriptors))")
      // It took its prompt and what was left of the context, or ended its answer by itself.
      let whole = [FinishReason.length, .contextFull, .stop].contains(last?.finishReason)
      return all == count && ends["none"] == nil && depth == 0 && cells == 0 && whole
        && after == before && after.engineThreads == 0
    }

    private static func plan(_ number: Int, _ random: inout SystemRandomNumberGenerator) -> Plan {
      let words = Int.random(in: 5...150, using: &random)
      return Plan(
        prompt: "Request \(number): " + String(repeating: "word ", count: words),
        tokens: Int.random(in: 1...40, using: &random),
        cancelAfter: Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil,
        deadline: Int.random(in: 0...4, using: &random) == 0
          ? .milliseconds(Int.random(in: 1...5000, using: &random)) : nil)
    }

    private static func ends(of plans: [Plan], _ executor: LocalExecutor) async -> [String] {
      await withTaskGroup(of: String.self) { group in
        for plan in plans { group.addTask { await end(of: plan, executor) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }

    private static func end(of plan: Plan, _ executor: LocalExecutor) async -> String {
      do throws(HybridError) {
        var request = ChatRequest(
          messages: [.user(plan.prompt)], sampling: .greedy, maxTokens: plan.tokens)
        request.deadline = plan.deadline
        let stream = try await executor.start(request, in: ExecutionContext())
        if plan.cancelAfter == 0 { stream.cancel() }
        var pieces = 0
        var end = "none"
        for try await event in stream {
          switch event {
          case .text:
            pieces += 1
            if pieces == plan.cancelAfter { stream.cancel() }
          case .finished(let completion): end = completion.finishReason.rawValue
          default: break
          }
        }
        return end
      } catch {
        return error.code.rawValue
      }
    }
  }
#endif
