internal import HybridCore
internal import HybridRouting

/// The output of the side that runs, so far.
struct CollectedOutput {
  var text = ""
  var reasoning = ""
  var toolCalls: [ToolCall] = []
  /// Not output by themselves: each has text.
  var logProbs: [TokenLogProb] = []

  var isEmpty: Bool {
    text.isEmpty && reasoning.isEmpty && toolCalls.isEmpty
  }

  /// Usage for a gateway that reported none: marked as not counted.
  func estimatedUsage(of plan: RoutingPlan) -> Usage {
    Usage(
      promptTokens: plan.promptTokens?.count,
      completionTokens: TokenEstimate(bytes: text.utf8.count + reasoning.utf8.count).tokens,
      counted: false)
  }
}
