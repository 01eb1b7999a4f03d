/// Something that can answer a chat request. Knows nothing of routing.
public protocol Executor: Sendable {
  /// Starts the request.
  ///
  /// - Returns: the events, once the request was accepted.
  /// - Throws: what refused it before any output: a full queue, a missing model, a gateway's error
  ///   status. Failures after that come out of the stream.
  func start(_ request: ChatRequest, in context: ExecutionContext) async throws(HybridError)
    -> ExecutorStream
}

/// What a run may do beside the request itself: its time, its patience and whom to ask.
public struct ExecutionContext: Sendable {
  /// Nothing goes on past this moment. nil: no limit but the executor's own.
  public var deadline: Moment?

  /// The longest wait between two tries. nil: no other side can take the request, so waits may use
  /// the whole deadline.
  public var patience: Duration?

  /// The limits on the parts of a gateway call. nil: the executor's own.
  public var limits: TimeLimits?

  /// What is done about each failure. nil: the executor's own table.
  public var failures: FailureTable?

  /// Asked before every attempt with its number, from 1; an error forbids the attempt and is thrown.
  /// Privacy, budget and kill switches are asked again here, so that no retry slips past them.
  ///
  /// nil: nobody vouches for the request, and then a side that would let it leave the machine refuses
  /// one that is tagged or `localOnly`.
  public var permit: (@Sendable (_ attempt: Int) -> HybridError?)?

  /// Told of every attempt as it ends; must not block.
  public var onAttempt: @Sendable (Attempt) -> Void

  /// True where nothing of the run is shown before its end. The executor then hands its output out
  /// only with the end: what came before a failure may be thrown away, and the run begun anew.
  public var collects: Bool

  /// True where a local model may answer though the request names another one, which the policy lets
  /// it stand in for. A side that has several models then takes its first for a name that is none of
  /// theirs.
  public var standsIn: Bool

  public init(
    deadline: Moment? = nil, patience: Duration? = nil, limits: TimeLimits? = nil,
    failures: FailureTable? = nil,
    permit: (@Sendable (_ attempt: Int) -> HybridError?)? = nil,
    onAttempt: @escaping @Sendable (Attempt) -> Void = { _ in }, collects: Bool = false,
    standsIn: Bool = false
  ) {
    self.deadline = deadline
    self.patience = patience
    self.limits = limits
    self.failures = failures
    self.permit = permit
    self.onAttempt = onAttempt
    self.collects = collects
    self.standsIn = standsIn
  }
}

/// What an executor hands out, in order. Ends with one ``finished(_:)``, or by throwing.
public enum ExecutorEvent: Sendable, Hashable {
  /// A piece of the answer: whole characters, never empty.
  case text(String)
  /// Tokens of the text handed out so far that had not been told; only where the request asks for
  /// them, and never empty. A token comes once all of its text has: one that a stop string cuts, or
  /// ends the answer by being its end, never does.
  case logProbs([TokenLogProb])
  /// A piece of the model's reasoning, which is not part of the answer.
  case reasoning(String)
  /// A whole tool call.
  case toolCall(ToolCall)
  /// A piece of a further choice, by its number from 1 on; the first choice's pieces come as they are.
  /// Only where the request asks for several. Those of different choices come mixed.
  case choice(Int, OutputPiece)
  case finished(Completion)

  /// True for model output. The first one handed to the caller is the commit point.
  public var isOutput: Bool {
    if case .finished = self { false } else { true }
  }
}

/// How a run ended, for a run that ended well.
public struct Completion: Sendable, Hashable {
  public var finishReason: FinishReason

  /// How the further choices ended, in their order: one less than the request asks for.
  public var otherFinishReasons: [FinishReason]

  /// The model that answered, by the name that the side itself gives it.
  public var model: String?

  /// The format of the weights that answered where a copy of ``model``, tuned to the machine, stood in
  /// for its own file; nil where none did.
  public var tunedFormat: String?

  /// Tokens of all choices together, and of the prompt once.
  public var usage: Usage?
  public var timings: Timings

  /// A local run's thread counts.
  public var threads: ThreadCounts?

  /// The gateway's name for the request.
  public var requestID: String?

  public init(
    finishReason: FinishReason, otherFinishReasons: [FinishReason] = [], model: String? = nil,
    tunedFormat: String? = nil, usage: Usage? = nil, timings: Timings = Timings(),
    threads: ThreadCounts? = nil,
    requestID: String? = nil
  ) {
    self.finishReason = finishReason
    self.otherFinishReasons = otherFinishReasons
    self.model = model
    self.tunedFormat = tunedFormat
    self.usage = usage
    self.timings = timings
    self.threads = threads
    self.requestID = requestID
  }

  /// True where a choice was stopped before its end.
  public var isCancelled: Bool {
    finishReason == .cancelled || otherFinishReasons.contains(.cancelled)
  }
}
