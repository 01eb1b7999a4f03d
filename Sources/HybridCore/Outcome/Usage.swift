/// Tokens in and out. What is not known is nil; an estimate, where a gateway counted nothing, is
/// marked as one.
public struct Usage: Sendable, Hashable {
  public var promptTokens: Int?

  /// Of the prompt's tokens, those not processed again.
  public var cachedTokens: Int?

  public var completionTokens: Int?

  /// True where a tokenizer counted them, here or at the gateway; false where they are estimated.
  public var counted: Bool

  public init(
    promptTokens: Int?, cachedTokens: Int? = nil, completionTokens: Int?, counted: Bool
  ) {
    self.promptTokens = promptTokens
    self.cachedTokens = cachedTokens
    self.completionTokens = completionTokens
    self.counted = counted
  }
}
