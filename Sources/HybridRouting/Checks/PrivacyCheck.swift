import HybridCore

extension Check {
  /// A tag that the policy does not let out, known or not, keeps a request on the machine.
  static let privacy = Check(code: .privacy, sides: [.remote]) { question in
    let kept = question.facts.request.tags.subtracting(question.policy.tagsAllowedRemote).sorted()
    guard !kept.isEmpty else { return .pass() }
    return .excludes(["tags": .array(kept.map { .string($0.rawValue) })])
  }
}
