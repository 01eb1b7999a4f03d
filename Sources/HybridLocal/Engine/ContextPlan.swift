package import HybridCore

/// The context that a load will make, and whether memory allows it.
package struct ContextPlan: Sendable, Hashable {
  /// The longest context that is chosen where nobody asked for one.
  package static let customary = 8192
  /// The shortest that is still tried when memory is short.
  package static let shortest = 512

  /// Tokens of one request, prompt and answer.
  package let length: Int
  /// nil where the machine does not tell what it has.
  package let memory: MemoryNeed?

  package var fits: Bool { memory.map { $0.needed <= $0.available } ?? true }

  /// The length asked for; else the model's own, at most ``customary``, halved until it fits.
  ///
  /// - Parameters:
  ///   - trained: the length that the model was made for.
  ///   - available: bytes; nil where unknown.
  ///   - need: the bytes that a load with so long a context takes.
  /// - Throws: `invalidConfiguration` for a length below 1 or beyond `trained`.
  package init(
    asked: Int?, trained: Int, available: Int?, need: (Int) -> Int
  ) throws(HybridError) {
    func memory(_ length: Int) -> MemoryNeed? {
      available.map { MemoryNeed(needed: need(length), available: $0) }
    }
    if let asked {
      guard (1...trained).contains(asked) else {
        throw HybridError(
          .invalidConfiguration,
          "the context length is \(asked), and the model was made for 1 to \(trained) tokens",
          nextStep: "Choose a length in this range, or leave it out",
          details: ["asked": .int(asked), "trained": .int(trained)], side: .local)
      }
      length = asked
      self.memory = memory(asked)
      return
    }
    var length = min(trained, Self.customary)
    var found = memory(length)
    while let need = found, need.needed > need.available, length / 2 >= Self.shortest {
      length /= 2
      found = memory(length)
    }
    self.length = length
    self.memory = found
  }

  /// - Throws: `insufficientMemory` with both numbers.
  package func requireMemory() throws(HybridError) {
    guard let memory, !fits else { return }
    throw HybridError(
      .insufficientMemory,
      "the model needs \(memory.needed / 1_000_000) MB for a context of \(length) tokens, and "
        + "\(memory.available / 1_000_000) MB are available",
      nextStep: "Free memory, raise the container's limit, or choose a shorter context or a "
        + "smaller model",
      details: [
        "needed": .int(memory.needed), "available": .int(memory.available),
        "contextLength": .int(length),
      ], side: .local)
  }
}
