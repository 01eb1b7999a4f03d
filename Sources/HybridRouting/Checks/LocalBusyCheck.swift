import HybridCore

extension Check {
  /// The local queue has no room for all choices, or its expected wait passes the policy's limit or the deadline.
  static let localBusy = Check(
    code: .localBusy, sides: [.local], isTemporary: true
  ) { question in
    guard let queue = question.facts.local?.status?.queue else { return .notApplicable }
    let choices = question.facts.request.choices
    var details: JSONObject = ["expectedWait": .seconds(queue.expectedWait)]
    if choices > 1 { details["choices"] = .int(choices) }
    // Of more than it ever takes the queue's length is not to blame.
    return !queue.hasRoom(for: max(1, min(choices, queue.capacity)))
      || queue.expectedWait > question.localWaitLimit
      ? .excludes(details) : .pass(details)
  }
}
