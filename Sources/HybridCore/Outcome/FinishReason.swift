/// Why an answer ended. Open: a gateway's own word is kept as it is.
public struct FinishReason: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The model ended its answer, or a stop string came.
  public static let stop = FinishReason(rawValue: "stop")
  /// `maxTokens` were generated.
  public static let length = FinishReason(rawValue: "length")
  /// The context is full; the text so far is kept.
  public static let contextFull = FinishReason(rawValue: "contextFull")
  public static let toolCalls = FinishReason(rawValue: "toolCalls")
  public static let contentFilter = FinishReason(rawValue: "contentFilter")
  /// The caller stopped the answer.
  public static let cancelled = FinishReason(rawValue: "cancelled")
  /// The gateway ended the answer properly and did not say why.
  public static let unknown = FinishReason(rawValue: "unknown")
}
