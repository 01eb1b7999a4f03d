import HybridCore

extension Check {
  /// The local queue is full, or its expected wait passes the policy's limit or the deadline.
  static let localBusy = Check(
    code: .localBusy, sides: [.local], isTemporary: true
  ) { question in
    guard let queue = question.facts.local?.status?.queue else { return .notApplicable }
    let details: JSONObject = ["expectedWait": .seconds(queue.expectedWait)]
    return queue.isFull || queue.expectedWait > question.localWaitLimit
      ? .excludes(details) : .pass(details)
  }
}
