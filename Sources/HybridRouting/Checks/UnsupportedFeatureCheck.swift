import HybridCore

// One check a side, since each belongs among its side's own.

extension Check {
  /// The request needs something beyond plain text that the local executor cannot do, or more choices
  /// than its line has places. The first such thing by name is reported.
  static let unsupportedFeature = Check(code: .unsupportedFeature, sides: [.local]) { question in
    guard let status = question.facts.local?.status else { return .notApplicable }
    let request = question.facts.request
    let missing = request.features.subtracting(status.features)
    if let first = missing.min() { return .excludes(["name": .string(first.rawValue)]) }
    let most = status.queue.capacity
    guard request.choices > max(1, most) else { return .pass() }
    return .excludes([
      "name": .string(Feature.choices.rawValue), "asked": .int(request.choices),
      "most": .int(most),
    ])
  }

  /// The request needs something that the gateway is known not to do, likewise.
  static let unsupportedByGateway = Check(code: .unsupportedFeature, sides: [.remote]) { question in
    guard let status = question.facts.remote?.status else { return .notApplicable }
    let missing = question.facts.request.features.intersection(status.lacks)
    guard let first = missing.min() else { return .pass() }
    return .excludes(["name": .string(first.rawValue), "origin": .string(status.origin)])
  }
}
