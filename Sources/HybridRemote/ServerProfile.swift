public import HybridCore

/// Where servers of one protocol differ.
public struct ServerProfile: Sendable, Hashable {
  /// The field that bounds the answer: `max_tokens` or `max_completion_tokens`.
  public var maxTokensField: String

  /// True where every request needs a key: without one a plan says `noCredentials`.
  public var requiresKey: Bool

  /// The names under which the repetition penalty is sent. llama-server knows `repeat_penalty`, most
  /// others `repetition_penalty`; each passes over the other's name, so both go where the server is
  /// not known.
  public var repetitionPenaltyFields: [String]

  /// What the server is known not to do. A plan keeps requests that need some of it away, and the
  /// client alone refuses them with `unsupportedFeature`, before anything is sent.
  public var lacks: Set<Feature>

  public init(
    maxTokensField: String = "max_tokens", requiresKey: Bool = false,
    repetitionPenaltyFields: [String] = ["repetition_penalty", "repeat_penalty"],
    lacks: Set<Feature> = []
  ) {
    self.maxTokensField = maxTokensField
    self.requiresKey = requiresKey
    self.repetitionPenaltyFields = repetitionPenaltyFields
    self.lacks = lacks
  }

  /// Any OpenAI-compatible server.
  public static let generic = ServerProfile()

  /// OpenAI's own.
  public static let openAI = ServerProfile(
    maxTokensField: "max_completion_tokens", requiresKey: true,
    lacks: [.topK, .minP, .repetitionPenalty])

  /// The profile that the address tells.
  public static func forBaseURL(_ text: String) -> ServerProfile {
    isOpenAI(text) ? .openAI : .generic
  }

  static func isOpenAI(_ baseURL: String) -> Bool {
    (try? HTTPURL(baseURL))?.origin == "https://api.openai.com"
  }
}
