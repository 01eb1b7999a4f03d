#if LocalLlama
  import HybridCore
  import HybridLocal
  import Measuring

  /// One sequence that is decoded on and on, with a thread count for each step.
  struct Decoder: ~Copyable {
    private let context: LlamaContext
    private let time = SystemTimeSource()
    private var meter: StepMeter
    private var position = 0

    init(_ options: Options) throws {
      let machine = Machine.current
      context = try LlamaContext(
        model: LlamaModel(path: options.model, part: .everything),
        options: .init(
          length: 512, threads: ThreadCounts(decode: options.threads, prefill: options.threads)),
        isAborted: { false })
      meter = StepMeter(files: machine.files, cpus: machine.cpuBudget().allowed)
    }

    /// A step with one token.
    mutating func step(threads: Int, idleWatch: IdleCPUWatch = .off) throws -> StepSample {
      if position == 256 {
        context.clearMemory()
        position = 0
      }
      guard context.setThreads(threads) else {
        throw UsageError("the system refuses \(threads) threads")
      }
      context.clearBatch()
      // Which token does not matter: all cost the same.
      _ = context.addToBatch(Token(1_000 + position), position: position, wantsLogits: true)
      meter.begin(at: time.now(), computeTime: context.computeTime)
      guard context.decode() == .done else {
        throw UsageError("a decode failed")
      }
      let sample = meter.end(
        StepShape(generated: 1), threads: threads, at: time.now(),
        computeTime: context.computeTime, idleWatch: idleWatch)
      position += 1
      return sample
    }

    mutating func step(_ controller: inout ThreadController) throws -> StepSample {
      let threads = controller.threads(for: StepShape(generated: 1))
      let sample = try step(threads: threads, idleWatch: controller.idleWatch)
      controller.record(sample)
      return sample
    }

    /// Tokens a second, over all that a step costs.
    mutating func speed(
      _ steps: Int, _ step: (inout Decoder) throws -> Void
    ) rethrows -> Double {
      let start = time.now()
      for _ in 0..<steps { try step(&self) }
      return Double(steps) / (time.now() - start).inSeconds
    }
  }
#endif
