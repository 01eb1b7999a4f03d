internal import HybridCore
internal import HybridKit
internal import HybridRouting

/// Everything that answers, put together from options and environment.
struct ChatSetup: Sendable {
  let chat: HybridChat
  let policy: RoutingPolicy

  init(_ invocation: Invocation, for request: RequestOptions) throws(HybridError) {
    let arguments = invocation.arguments
    var policy =
      if let path = try arguments.filled(.policy) { try PolicyFile.read(path) } else {
        RoutingPolicy()
      }
    let standIns = try arguments.filledValues(.standIn)
    if !standIns.isEmpty { policy.localStandIns = standIns }
    try request.mustFit(policy)
    self.policy = policy
    chat = HybridChat(policy: policy)
  }

  func close() async {}
}
