#if LocalLlama
  import HybridCore

  /// A request that has begun, with all that its answer needs. Belongs to the engine's thread.
  final class ActiveAnswer {
    let job: EngineJob
    var sampler: LlamaSampler
    var generation: Generation
    var clock: RunClock
    /// nil where each step computes one token.
    var lookAhead: LookAhead?
    var untold = UntoldTokens()
    /// What the machine's other work took, from the beginning on.
    let strain: CPUStrain?
    private var hasComputed = false
    /// Those of its last steps.
    private(set) var threads: ThreadCounts
    /// What was handed out of the answer.
    private(set) var text = ""
    /// Whether anything was handed out, reasoning or answer.
    private(set) var hasOutput = false

    /// - Parameter looksAhead: where the answer allows it: only the likeliest token can be verified.
    /// - Throws: `decodeFailed` where there is no memory for a sampler.
    init(
      _ job: EngineJob, contextLength: Int, vocabularySize: Int, looksAhead: Bool, loaded: Moment?,
      started: Moment, threads: ThreadCounts, strain: CPUStrain?
    ) throws(HybridError) {
      let request = job.request
      self.job = job
      self.threads = threads
      self.strain = strain
      sampler = try LlamaSampler(
        request.sampler, vocabularySize: vocabularySize, prompt: request.prompt)
      generation = Generation(
        promptCount: request.prompt.count, contextLength: contextLength,
        maxTokens: request.maxTokens, stop: request.stop, reasoning: request.reasoning)
      lookAhead =
        looksAhead && request.sampler.choice == .greedy ? LookAhead(prompt: request.prompt) : nil
      clock = RunClock(received: request.received, loaded: loaded, started: started)
    }

    /// Its first step begins: what it waited for before, its turn and room, was no work on it.
    func computes(at now: Moment) {
      if !hasComputed { clock.started = now }
      hasComputed = true
    }

    /// A step with a part of it computed with so many threads.
    func used(_ count: Int, inPrompt: Bool) {
      if inPrompt { threads.prefill = count } else { threads.decode = count }
    }

    /// A token's bytes; a mark of reasoning has its text, though it be a control token.
    func piece(of token: Token, in model: borrowing LlamaModel) -> [UInt8] {
      job.request.reasoning?.tokens[token].map { Array($0.utf8) } ?? model.piece(of: token)
    }

    /// - Returns: false when the consumer has gone.
    func handOut(_ progress: Generation.Progress, at now: Moment) -> Bool {
      var isOpen = true
      if !progress.reasoning.isEmpty {
        clock.handedOut(at: now)
        hasOutput = true
        isOpen = job.handOut(.reasoning(progress.reasoning))
      }
      untold.passOver(progress.passedOver)
      if progress.text.isEmpty { return isOpen }
      clock.handedOut(at: now)
      hasOutput = true
      text += progress.text
      isOpen = job.handOut(.text(progress.text))
      tell(untold.handedOut(progress.text))
      return isOpen
    }

    /// The answer has ended, and all of its text is handed out.
    func tellRest() {
      tell(untold.finish())
    }

    private func tell(_ tokens: [TokenLogProb]) {
      if !tokens.isEmpty { _ = job.handOut(.logProbs(tokens)) }
    }
  }
#endif
