/// What the application asks: one chat completion.
public struct ChatRequest: Sendable, Hashable {
  public var messages: [ChatMessage]

  /// The model asked for. nil: whichever model the side that runs is configured with.
  public var model: String?

  public var sampling: Sampling

  /// The most tokens to generate. nil: until the answer or the context ends.
  public var maxTokens: Int?

  /// Generation ends before the first of these; none of it is given out.
  public var stop: [String]

  /// With each token of the answer the logarithm of its probability, and so many of the likeliest
  /// tokens at its place: 0…20. nil: none of it. See ``TokenLogProb``.
  public var topLogProbs: Int?

  /// How many answers are given, each drawn for itself: 1…128.
  ///
  /// All see the same prompt, which counts once; ``maxTokens`` and ``stop`` hold for each. Choice `i`
  /// draws with `sampling.seed + i`, so that it can be had alone. Without a draw all are equal.
  public var choices: Int

  public var tools: [ToolDefinition]

  /// Fields sent to a gateway as they are (`response_format`, `user`, …). A side that cannot do
  /// one refuses it by name; none is ever ignored.
  public var extraFields: JSONObject

  /// What the content is. Decides, before any byte is sent, whether it may leave the machine.
  public var tags: Set<SensitivityTag>

  /// Narrows the policy's preference for this request; see ``Preference``.
  public var preference: Preference?

  /// The most time over queueing, all attempts, waits and the fallback together.
  public var deadline: Duration?

  public init(
    messages: [ChatMessage], model: String? = nil, sampling: Sampling = Sampling(),
    maxTokens: Int? = nil, stop: [String] = [], topLogProbs: Int? = nil,
    choices: Int = 1, tools: [ToolDefinition] = [], extraFields: JSONObject = [:],
    tags: Set<SensitivityTag> = [],
    preference: Preference? = nil, deadline: Duration? = nil
  ) {
    self.messages = messages
    self.model = model
    self.sampling = sampling
    self.maxTokens = maxTokens
    self.stop = stop
    self.topLogProbs = topLogProbs
    self.choices = choices
    self.tools = tools
    self.extraFields = extraFields
    self.tags = tags
    self.preference = preference
    self.deadline = deadline
  }

  /// Whether log-probabilities are asked for at all; see ``topLogProbs``.
  public var logProbs: Bool {
    get { topLogProbs != nil }
    set { topLogProbs = newValue ? topLogProbs ?? 0 : nil }
  }

  /// The short form: one question, with a system message where given.
  public init(prompt: String, system: String? = nil) {
    self.init(messages: (system.map { [.system($0)] } ?? []) + [.user(prompt)])
  }
}
