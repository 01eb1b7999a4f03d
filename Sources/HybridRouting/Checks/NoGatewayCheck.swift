import HybridCore

extension Check {
  /// No gateway's address was given. A key alone makes none.
  static let noGateway = Check(code: .noGateway, sides: [.remote]) { question in
    question.facts.remote == nil ? .excludes() : .pass()
  }
}
