/// Where servers of one protocol differ.
public struct ServerProfile: Sendable, Hashable {
  /// The field that bounds the answer: `max_tokens` or `max_completion_tokens`.
  public var maxTokensField: String

  /// True where every request needs a key: without one a plan says `noCredentials`.
  public var requiresKey: Bool

  public init(maxTokensField: String = "max_tokens", requiresKey: Bool = false) {
    self.maxTokensField = maxTokensField
    self.requiresKey = requiresKey
  }

  /// Any OpenAI-compatible server.
  public static let generic = ServerProfile()

  /// OpenAI's own.
  public static let openAI = ServerProfile(
    maxTokensField: "max_completion_tokens", requiresKey: true)

  /// The profile that the address tells.
  public static func forBaseURL(_ text: String) -> ServerProfile {
    isOpenAI(text) ? .openAI : .generic
  }

  static func isOpenAI(_ baseURL: String) -> Bool {
    (try? HTTPURL(baseURL))?.origin == "https://api.openai.com"
  }
}
