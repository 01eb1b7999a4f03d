/// What a sound model file is for.
public struct ModelUse: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Generates text from left to right: what ``LocalExecutor`` runs.
  public static let chat = ModelUse(rawValue: "chat")
  /// Turns a text into a vector.
  public static let embedding = ModelUse(rawValue: "embedding")
  /// A tokenizer without weights.
  public static let vocabulary = ModelUse(rawValue: "vocabulary")
  /// Translation, diffusion, speech, drafts for another model.
  public static let other = ModelUse(rawValue: "other")

  public var description: String { rawValue }

  package init(_ header: GGUFHeader) {
    do throws(ModelFileError) {
      try header.requireChatModel()
      self = .chat
    } catch {
      self =
        switch error.kind {
        case .embeddingModel: .embedding
        case .vocabularyOnly: .vocabulary
        default: .other
        }
    }
  }
}
