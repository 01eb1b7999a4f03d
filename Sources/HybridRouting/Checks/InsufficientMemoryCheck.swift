import HybridCore

extension Check {
  /// Loading the model would need more memory than there is. A model in memory, or on its way there,
  /// has passed.
  static let insufficientMemory = Check(code: .insufficientMemory, sides: [.local]) { question in
    guard let status = question.facts.local?.status else { return .notApplicable }
    guard let memory = status.memory else {
      return switch status.state {
      case .ready, .loading: .pass()
      case .missing, .notLoaded, .failed: .notApplicable
      }
    }
    let details: JSONObject = [
      "needed": .int(memory.needed), "available": .int(memory.available),
    ]
    return memory.needed > memory.available ? .excludes(details) : .pass(details)
  }
}
