internal import HybridCore

extension TokenLogProb {
  /// A choice's `logprobs`: those of its text, not of a refusal.
  ///
  /// Lenient, since they only go with the answer: what has no text or no number is left out.
  static func list(wire value: JSONValue?) -> [TokenLogProb] {
    (value?["content"]?.array ?? []).compactMap { entry in
      guard let one = Alternative(wire: entry) else { return nil }
      let others = (entry["top_logprobs"]?.array ?? []).compactMap { Alternative(wire: $0) }
      return TokenLogProb(
        text: one.text, bytes: one.bytes, token: one.token, logProb: one.logProb,
        alternatives: others)
    }
  }
}

extension TokenLogProb.Alternative {
  fileprivate init?(wire value: JSONValue) {
    guard let text = value["token"]?.string, let logProb = value["logprob"]?.double else {
      return nil
    }
    let numbers = value["bytes"]?.array
    let bytes = numbers?.compactMap { $0.int.flatMap(UInt8.init(exactly:)) }
    self.init(
      text: text, bytes: bytes?.count == numbers?.count ? bytes : nil,
      // llama-server's own.
      token: value["id"]?.int, logProb: logProb)
  }
}

extension ExecutorEvent {
  /// No more log-probabilities and alternatives than were asked for: some servers give them.
  func telling(_ most: Int?) -> ExecutorEvent? {
    guard let (choice, piece) = output, case .logProbs(let tokens) = piece else { return self }
    guard let most else { return nil }
    let told = tokens.map { token in
      var token = token
      token.alternatives = Array(token.alternatives.prefix(most))
      return token
    }
    return ExecutorEvent(.logProbs(told), of: choice)
  }
}
