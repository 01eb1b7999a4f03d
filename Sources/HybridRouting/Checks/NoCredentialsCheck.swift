import HybridCore

extension Check {
  /// The gateway needs a key, and its source yields none.
  static let noCredentials = Check(code: .noCredentials, sides: [.remote]) { question in
    switch question.facts.remote?.status?.credentials {
    case .notNeeded, .present: .pass()
    case .missing(let source): .excludes(["source": .string(source)])
    case nil: .notApplicable
    }
  }
}
