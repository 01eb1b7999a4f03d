/// Something a request may ask for beyond plain text.
public struct Feature: RawRepresentable, Sendable, Hashable, Comparable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let images = Feature(rawValue: "images")
  public static let tools = Feature(rawValue: "tools")

  public static let topK = Feature(rawValue: "topK")
  public static let minP = Feature(rawValue: "minP")
  public static let repetitionPenalty = Feature(rawValue: "repetitionPenalty")
  public static let presencePenalty = Feature(rawValue: "presencePenalty")
  public static let frequencyPenalty = Feature(rawValue: "frequencyPenalty")
  public static let logitBias = Feature(rawValue: "logitBias")
  public static let logProbs = Feature(rawValue: "logProbs")
  /// More than one answer to a request.
  public static let choices = Feature(rawValue: "choices")

  /// All that bears on how tokens are chosen and told.
  public static let sampling: Set<Feature> = [
    .topK, .minP, .repetitionPenalty, .presencePenalty, .frequencyPenalty, .logitBias, .logProbs,
    .choices,
  ]

  public static func < (left: Feature, right: Feature) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ChatRequest {
  /// The features that this request needs: images, tools, those of its sampling, log-probabilities,
  /// several choices, and each extra field by its name.
  public var features: Set<Feature> {
    var needed = Set(extraFields.keys.map(Feature.init(rawValue:))).union(sampling.features)
    if !tools.isEmpty || messages.contains(where: { !$0.toolCalls.isEmpty || $0.role == .tool }) {
      needed.insert(.tools)
    }
    let parts = messages.lazy.flatMap(\.content)
    if parts.contains(where: { if case .image = $0 { true } else { false } }) {
      needed.insert(.images)
    }
    if topLogProbs != nil { needed.insert(.logProbs) }
    if choices > 1 { needed.insert(.choices) }
    return needed
  }
}
