#if LocalLlama
  import HybridCore
  import Measuring

  /// What a client sees of one answer.
  struct Seen {
    var firstToken = Duration.zero
    var total = Duration.zero
    var text = ""
    /// When each piece of text came.
    var moments: [ContinuousClock.Instant] = []
    var completion: Completion?

    /// Between one piece of text and the next, in seconds: of those gaps of which a part lies within.
    func gaps(
      from start: ContinuousClock.Instant? = nil, to end: ContinuousClock.Instant? = nil
    ) -> [Double] {
      zip(moments, moments.dropFirst())
        .filter { before, after in
          start.map { after > $0 } ?? true && end.map { before < $0 } ?? true
        }
        .map { ($1 - $0).inSeconds }
    }

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
      var seen = Seen()
      var pieces = 0
      for try await event in try await self.start(request, in: ExecutionContext()) {
        switch event {
        case .text(let piece):
          seen.text += piece
          let now = clock.now
          if seen.moments.isEmpty { seen.firstToken = now - start }
          seen.moments.append(now)
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
