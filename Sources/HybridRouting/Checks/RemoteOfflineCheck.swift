import HybridCore

extension Check {
  /// The gateway, or the network, was declared or found to be away.
  static let remoteOffline = Check(code: .remoteOffline, sides: [.remote]) { question in
    guard let status = question.facts.remote?.status else { return .notApplicable }
    guard case .offline(let since) = status.availability else { return .pass() }
    return .excludes(["since": .seconds(question.facts.now - since)])
  }
}
