import HybridCore

extension Check {
  /// No local side was configured, or its model's file is not there.
  static let noLocalModel = Check(code: .noLocalModel, sides: [.local]) { question in
    guard let local = question.facts.local else { return .excludes() }
    guard let status = local.status else { return .notApplicable }
    return status.state == .missing ? .excludes(["path": .string(status.model.path)]) : .pass()
  }
}
