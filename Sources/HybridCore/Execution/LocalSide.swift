/// A local executor that can say beforehand whether it could take a request.
public protocol LocalSide: Executor {
  /// The present state of what would answer a request for `model` (nil: for none by name). A side
  /// that has no such model tells of the one that could stand in for it.
  ///
  /// Loads nothing and touches no socket; costs microseconds once the model file's header has been
  /// read.
  func status(model: String?) async -> LocalStatus

  /// Counts the request's prompt tokens by the model's own tokenizer over its own template.
  ///
  /// May load the vocabulary, never the weights.
  func measure(_ request: ChatRequest) async -> PromptMeasurement
}

extension LocalSide {
  /// The present state of what answers requests that name no model.
  public func status() async -> LocalStatus {
    await status(model: nil)
  }
}

/// What a local side is and how busy it is.
public struct LocalStatus: Sendable, Hashable {
  public var model: LocalModelInfo

  public var state: State

  /// The tokens that one sequence gets: the loaded context's, or the one that a load would choose.
  /// nil where the file cannot tell.
  public var contextLength: Int?

  /// What a load would need, against what there is, in bytes. nil once loaded.
  public var memory: MemoryNeed?

  public var queue: QueueStatus

  /// What this executor can do beyond plain text.
  public var features: Set<Feature>

  /// How much of the model is loaded, 0…1; nil where it is not being loaded, or nobody knows.
  public var loadFraction: Double?

  public init(
    model: LocalModelInfo, state: State, contextLength: Int?, memory: MemoryNeed? = nil,
    queue: QueueStatus = QueueStatus(), features: Set<Feature> = [], loadFraction: Double? = nil
  ) {
    self.model = model
    self.state = state
    self.contextLength = contextLength
    self.memory = memory
    self.queue = queue
    self.features = features
    self.loadFraction = loadFraction
  }

  public enum State: Sendable, Hashable {
    /// The file is not there.
    case missing
    /// Will be loaded by the first request.
    case notLoaded
    /// Being loaded. `remaining` is nil where it cannot be foretold.
    case loading(remaining: Duration?)
    case ready
    /// The file cannot serve, or a load failed, or the loaded model did.
    case failed(ModelFailure)

    /// A failure of which nothing more is known than its kind.
    public static func failed(_ code: ErrorCode, until: Moment?) -> State {
      .failed(ModelFailure(code, until: until))
    }
  }
}

/// A local model by the names it goes by.
public struct LocalModelInfo: Sendable, Hashable {
  /// The file's stem.
  public var name: String

  /// The path as given or found.
  public var path: String

  public init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

/// Why a local model cannot be used, and whether that passes.
public struct ModelFailure: Sendable, Hashable {
  public var code: ErrorCode

  /// When it is tried again; nil: never, since only another file can help.
  public var until: Moment?

  /// What happened, in one sentence without its full stop; nil where the code says all.
  public var message: String?

  /// What can be done about it, likewise.
  public var nextStep: String?

  /// The numbers and names behind it.
  public var details: JSONObject

  public init(
    _ code: ErrorCode, until: Moment? = nil, message: String? = nil, nextStep: String? = nil,
    details: JSONObject = [:]
  ) {
    self.code = code
    self.until = until
    self.message = message
    self.nextStep = nextStep
    self.details = details
  }

  package init(_ error: HybridError, until: Moment?) {
    self.init(
      error.code, until: until, message: error.message, nextStep: error.nextStep,
      details: error.details)
  }
}

/// Bytes asked for and bytes there.
public struct MemoryNeed: Sendable, Hashable {
  public var needed: Int
  public var available: Int

  public init(needed: Int, available: Int) {
    self.needed = needed
    self.available = available
  }
}

/// How long the line is.
public struct QueueStatus: Sendable, Hashable {
  /// Requests running or waiting, each choice counted.
  public var depth: Int
  /// The most that may wait.
  public var capacity: Int
  /// How long a new request would wait for its turn.
  public var expectedWait: Duration

  public init(depth: Int = 0, capacity: Int = 64, expectedWait: Duration = .zero) {
    self.depth = depth
    self.capacity = capacity
    self.expectedWait = expectedWait
  }

  public var isFull: Bool { !hasRoom(for: 1) }

  /// Whether so many more fit: each choice of a request takes a place.
  public func hasRoom(for choices: Int) -> Bool { capacity - depth >= choices }
}

/// A prompt's length, or why it has none.
public enum PromptMeasurement: Sendable, Hashable {
  /// Counted by the model's own tokenizer.
  case counted(Int)
  /// The model's template cannot express the conversation; the message says what it refused.
  case templateRejected(message: String, details: JSONObject)
  /// The vocabulary could not be read.
  case unavailable(ModelFailure)
}
