package import HybridCore

/// What bounds an answer, checked, for a request that the local side can take at all.
package struct RequestLimits: Sendable, Hashable {
  /// Stop strings that one request may have, and bytes in each.
  package static let mostStops = 64
  package static let longestStop = 1024

  package let maxTokens: Int?
  package let stop: [String]

  /// - Throws: `unsupportedFeature` for tools, images and extra fields; `invalidRequest` for an
  ///   empty prompt, a limit below 1, or stop strings that are empty, too long or too many.
  package init(_ request: ChatRequest) throws(HybridError) {
    if let feature = request.features.min() {
      throw HybridError(
        .unsupportedFeature, "the local side cannot do `\(feature.rawValue)`",
        nextStep: "Leave it out, or let the gateway answer",
        details: ["features": .array(request.features.sorted().map { .string($0.rawValue) })],
        side: .local)
    }
    guard request.messages.contains(where: { !$0.text.isEmpty }) else {
      throw Self.invalid("messages", "the prompt is empty", "Give at least one message with text")
    }
    if let maxTokens = request.maxTokens, maxTokens < 1 {
      throw Self.invalid(
        "maxTokens", "maxTokens is \(maxTokens)", "Give a number of 1 or more, or leave it out")
    }
    guard request.stop.count <= Self.mostStops else {
      throw Self.invalid(
        "stop", "there are \(request.stop.count) stop strings",
        "Give at most \(Self.mostStops)")
    }
    guard request.stop.allSatisfy({ (1...Self.longestStop).contains($0.utf8.count) }) else {
      throw Self.invalid(
        "stop", "a stop string is empty or longer than \(Self.longestStop) bytes",
        "Give stop strings of 1 to \(Self.longestStop) bytes")
    }
    maxTokens = request.maxTokens
    stop = request.stop
  }

  private static func invalid(_ name: String, _ what: String, _ step: String) -> HybridError {
    HybridError(
      .invalidRequest, what, nextStep: step, details: ["param": .string(name)], side: .local)
  }
}
