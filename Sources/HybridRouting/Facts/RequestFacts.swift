public import HybridCore

/// What a request needs and wants, without its content.
public struct RequestFacts: Sendable, Hashable {
  /// The request's own preference; nil leaves it to the policy.
  public var preference: Preference?

  public var tags: Set<SensitivityTag>

  /// The model that the request names; nil: whichever one the side that runs is configured with.
  public var model: String?

  /// What it needs beyond plain text.
  public var features: Set<Feature>

  /// Answers asked for; each takes a place of its own in the local queue.
  public var choices: Int

  /// nil: until the answer or the context ends.
  public var maxTokens: Int?

  /// The time left; nil: no deadline.
  public var deadlineRemaining: Duration?

  /// The bytes of the messages' text, from which a length is estimated where nothing counted it.
  public var promptBytes: Int?

  public init(
    preference: Preference? = nil, tags: Set<SensitivityTag> = [], model: String? = nil,
    features: Set<Feature> = [], choices: Int = 1, maxTokens: Int? = nil,
    deadlineRemaining: Duration? = nil, promptBytes: Int? = nil
  ) {
    self.preference = preference
    self.tags = tags
    self.model = model
    self.features = features
    self.choices = choices
    self.maxTokens = maxTokens
    self.deadlineRemaining = deadlineRemaining
    self.promptBytes = promptBytes
  }

  /// The facts of `request`.
  ///
  /// - Parameter deadlineRemaining: the time left of the request's deadline, where some has passed
  ///   already; nil: the whole deadline.
  public init(_ request: ChatRequest, deadlineRemaining: Duration? = nil) {
    self.init(
      preference: request.preference, tags: request.tags, model: request.model,
      features: request.features, choices: request.choices, maxTokens: request.maxTokens,
      deadlineRemaining: deadlineRemaining ?? request.deadline,
      promptBytes: request.messages.reduce(0) { $0 + $1.text.utf8.count })
  }
}
