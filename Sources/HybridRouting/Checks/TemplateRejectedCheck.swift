import HybridCore

extension Check {
  /// The model's chat template cannot express the conversation.
  static let templateRejected = Check(code: .templateRejected, sides: [.local]) { question in
    switch question.facts.local?.measurement {
    case .counted:
      return .pass()
    case .templateRejected(let message, var details):
      details["message"] = .string(message)
      return .excludes(details)
    case .unavailable, nil:
      return .notApplicable
    }
  }
}
