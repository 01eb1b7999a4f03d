/// A piece of one choice's output; see the cases of ``ExecutorEvent`` with the same names.
public enum OutputPiece: Sendable, Hashable {
  case text(String)
  case logProbs([TokenLogProb])
  case reasoning(String)
  case toolCall(ToolCall)
}

extension ExecutorEvent {
  /// - Parameter choice: from 0.
  public init(_ piece: OutputPiece, of choice: Int) {
    switch piece {
    case _ where choice > 0: self = .choice(choice, piece)
    case .text(let text): self = .text(text)
    case .logProbs(let tokens): self = .logProbs(tokens)
    case .reasoning(let text): self = .reasoning(text)
    case .toolCall(let call): self = .toolCall(call)
    }
  }

  /// Whose output it is, from 0, and what; nil for the end.
  public var output: (choice: Int, piece: OutputPiece)? {
    switch self {
    case .text(let text): (0, .text(text))
    case .logProbs(let tokens): (0, .logProbs(tokens))
    case .reasoning(let text): (0, .reasoning(text))
    case .toolCall(let call): (0, .toolCall(call))
    case .choice(let choice, let piece): (choice, piece)
    case .finished: nil
    }
  }
}
