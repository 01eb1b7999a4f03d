import HybridCore

extension Check {
  /// The model could not be loaded and its next try is not due, or its vocabulary could not be read.
  static let modelFailed = Check(code: .modelFailed, sides: [.local]) { question in
    guard let local = question.facts.local, let status = local.status else {
      return .notApplicable
    }
    let failure: ModelFailure
    if case .failed(let known) = status.state {
      failure = known
    } else if case .unavailable(let known) = local.measurement {
      failure = known
    } else {
      return .pass()
    }
    if let until = failure.until, until <= question.facts.now { return .pass() }
    var details: JSONObject = [
      "retryAfter": question.seconds(until: failure.until), "code": .string(failure.code.rawValue),
    ]
    if let message = failure.message {
      details["problem"] = [
        "message": .string(message), "nextStep": .optional(failure.nextStep),
        "details": .object(failure.details),
      ]
    }
    return .excludes(details)
  }
}
