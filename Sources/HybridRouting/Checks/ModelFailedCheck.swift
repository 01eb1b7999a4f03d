import HybridCore

extension Check {
  /// The model could not be loaded and its next try is not due, or its vocabulary could not be read.
  static let modelFailed = Check(code: .modelFailed, sides: [.local]) { question in
    guard let local = question.facts.local, let status = local.status else {
      return .notApplicable
    }
    if case .failed(let code, let until) = status.state {
      if let until, until <= question.facts.now { return .pass() }
      return .excludes([
        "until": question.seconds(until: until), "code": .string(code.rawValue),
      ])
    }
    if case .unavailable(let code) = local.measurement {
      return .excludes(["until": .null, "code": .string(code.rawValue)])
    }
    return .pass()
  }
}
