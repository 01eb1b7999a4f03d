package import HybridCore

/// How a model's outputs, one a token, become one vector a text. Open: a new one never breaks a caller's
/// `switch`.
public struct Pooling: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Their mean.
  public static let mean = Pooling(rawValue: "mean")
  /// The first token's, which some models are trained to put the text into (BERT's `[CLS]`).
  public static let cls = Pooling(rawValue: "cls")
  /// The last token's: usual for models that read from left to right.
  public static let last = Pooling(rawValue: "last")

  static let all: [Pooling] = [.mean, .cls, .last]
}

extension Pooling {
  /// llama.cpp's number.
  var number: Int32 {
    switch self {
    case .mean: 1
    case .cls: 2
    case .last: 3
    default: -1
    }
  }

  /// - Returns: nil for 0, no pooling, and for 4, a reranker's.
  init?(number: Int) {
    guard let pooling = Self.all.first(where: { Int($0.number) == number }) else { return nil }
    self = pooling
  }

  /// - Throws: `invalidConfiguration` for any other than the three, with why.
  package func validate() throws(HybridError) {
    if Self.all.contains(self) { return }
    let what =
      switch rawValue {
      case "none": "no pooling leaves a vector for each token and none for the text"
      case "rank": "a reranker's pooling gives a score for a pair of texts and no vector"
      default: "there is no such pooling"
      }
    throw HybridError(
      .invalidConfiguration, "the option pooling is '\(rawValue.prefix(40))': \(what)",
      nextStep: "Give mean, cls or last, or leave it out for the model's own",
      details: ["option": "pooling", "pooling": .string(rawValue)], side: .local)
  }
}
