#if LocalLlama
  import HybridCore
  import Measuring

  /// What a client sees of one answer.
  struct Seen {
    var firstToken = Duration.zero
    var total = Duration.zero
    var text = ""
    /// Between one piece of text and the next.
    var gaps: [Double] = []
    var completion: Completion?

    var tokens: Int { completion?.usage?.completionTokens ?? 0 }

    /// Tokens a second after the first.
    var decodeSpeed: Double {
      Double(tokens - 1) / max(1e-9, completion?.timings.decode?.inSeconds ?? 0)
    }
  }

  extension Executor {
    /// - Parameter onPiece: told of each piece's number, from 1.
    func see(_ request: ChatRequest, onPiece: (Int) async throws -> Void = { _ in }) async throws
      -> Seen
    {
      let clock = ContinuousClock()
      let start = clock.now
      var last: ContinuousClock.Instant?
      var seen = Seen()
      var pieces = 0
      for try await event in try await self.start(request, in: ExecutionContext()) {
        switch event {
        case .text(let piece):
          seen.text += piece
          let now = clock.now
          if let last {
            seen.gaps.append((now - last).inSeconds)
          } else {
            seen.firstToken = now - start
          }
          last = now
          pieces += 1
          try await onPiece(pieces)
        case .finished(let completion): seen.completion = completion
        default: break
        }
      }
      seen.total = clock.now - start
      return seen
    }
  }

  /// Requests that no cache has seen.
  struct Prompts {
    private var number = 0

    /// A prompt of about so many tokens.
    mutating func next(tokens: Int) -> String {
      number += 1
      let words = (0..<max(1, tokens - 40)).map {
        Self.words[($0 * 7 + number * 3 + $0 * number) % Self.words.count]
      }
      return "Text number \(number): " + words.joined(separator: " ")
        + ". Tell a long story about it."
    }

    // One token each.
    private static let words = [
      "one", "two", "three", "sea", "tree", "house", "light", "water", "stone", "bird", "river",
      "night", "road", "green", "small", "wind", "fire", "hand", "time",
    ]
  }

  func request(_ prompt: String, tokens: Int) -> ChatRequest {
    ChatRequest(messages: [.user(prompt)], sampling: .greedy, maxTokens: tokens)
  }
#endif
