internal import HybridCore
internal import HybridRouting

/// The output of the side that runs, so far, a member for each choice.
struct CollectedOutput {
  private var outputs: [Output]

  private struct Output {
    var text = ""
    var reasoning = ""
    var toolCalls: [ToolCall] = []
    /// Not output by themselves: each has text.
    var logProbs: [TokenLogProb] = []

    var isEmpty: Bool { text.isEmpty && reasoning.isEmpty && toolCalls.isEmpty }
  }

  /// - Parameter choices: at least 1.
  init(choices: Int) {
    outputs = Array(repeating: Output(), count: max(1, choices))
  }

  /// The first choice's.
  var text: String { outputs[0].text }

  var isEmpty: Bool { outputs.allSatisfy(\.isEmpty) }

  /// - Returns: false for a choice that was not asked for.
  mutating func append(_ piece: OutputPiece, of choice: Int) -> Bool {
    guard outputs.indices.contains(choice) else { return false }
    switch piece {
    case .text(let text): outputs[choice].text += text
    case .logProbs(let tokens): outputs[choice].logProbs += tokens
    case .reasoning(let text): outputs[choice].reasoning += text
    case .toolCall(let call): outputs[choice].toolCalls.append(call)
    }
    return true
  }

  /// Usage for a gateway that reported none: marked as not counted.
  func estimatedUsage(of plan: RoutingPlan) -> Usage {
    let bytes = outputs.reduce(0) { $0 + $1.text.utf8.count + $1.reasoning.utf8.count }
    return Usage(
      promptTokens: plan.promptTokens?.count, completionTokens: TokenEstimate(bytes: bytes).tokens,
      counted: false)
  }

  /// The choices, each ended as `reasons` say; nil where these are not as many.
  func choices(ended reasons: [FinishReason]) -> [AnswerChoice]? {
    guard reasons.count == outputs.count else { return nil }
    return zip(outputs, reasons).map { output, reason in
      AnswerChoice(
        text: output.text, reasoning: output.reasoning.isEmpty ? nil : output.reasoning,
        toolCalls: output.toolCalls, logProbs: output.logProbs.isEmpty ? nil : output.logProbs,
        finishReason: reason)
    }
  }
}
