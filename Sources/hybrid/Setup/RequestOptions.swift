internal import HybridCore
internal import HybridRouting

/// What the options say of the request itself.
struct RequestOptions: Sendable, Hashable {
  /// The request's own preference, as `--prefer` or `--only` gave it.
  struct Wish: Sendable, Hashable {
    let preference: Preference
    /// `--only local`.
    let spelling: String
  }

  let wish: Wish?
  let model: String?
  let sampling: Sampling
  let maxTokens: Int?
  let stop: [String]
  let topLogProbs: Int?
  let choices: Int
  let tags: Set<SensitivityTag>
  let deadline: Duration?

  /// - Throws: `usage` for a value out of its range.
  init(_ arguments: ParsedArguments) throws(HybridError) {
    try arguments.refuseTogether(.prefer, .only)
    wish = try Wish(arguments)
    model = try arguments.filled(.model)
    sampling = Sampling(
      temperature: try arguments.decimal(.temperature, in: 0...2),
      topP: try arguments.decimal(.topP, in: 0...1, isOpenBelow: true),
      topK: try arguments.integer(.topK, in: 0...Int(Int32.max)),
      minP: try arguments.decimal(.minP, in: 0...1),
      seed: try arguments.integer(.seed, in: 0...Int(UInt32.max)).map(UInt32.init),
      repetitionPenalty: try arguments.decimal(.repeatPenalty, in: 0.1...10),
      penaltyWindow: try arguments.integer(.repeatLast, in: 1...Int(Int32.max)),
      presencePenalty: try arguments.decimal(.presencePenalty, in: -2...2),
      frequencyPenalty: try arguments.decimal(.frequencyPenalty, in: -2...2),
      logitBias: try arguments.biases(.logitBias))
    topLogProbs = try arguments.integer(.logProbs, in: 0...ChatRequest.mostTopLogProbs)
    choices = try arguments.integer(.choices, in: 1...ChatRequest.mostChoices) ?? 1
    maxTokens = try arguments.integer(.maxTokens, in: 1...Int(Int32.max))
    stop = try arguments.filledValues(.stop)
    tags = Set(try arguments.filledValues(.tag).map(SensitivityTag.init(rawValue:)))
    // A day: beyond that it is a mistake in the unit.
    deadline = try arguments.decimal(.deadline, in: 0...86_400, isOpenBelow: true)
      .map { .seconds($0) }
  }

  func request(_ input: PromptInput) -> ChatRequest {
    ChatRequest(
      messages: input.messages, model: model, sampling: sampling, maxTokens: maxTokens, stop: stop,
      topLogProbs: topLogProbs, choices: choices, tools: input.tools, tags: tags,
      preference: wish?.preference, deadline: deadline)
  }

  /// - Throws: `invalidConfiguration` naming both where the policy does not admit the preference.
  func mustFit(_ policy: RoutingPolicy) throws(HybridError) {
    guard let wish, policy.preference.narrowed(by: wish.preference) == nil else { return }
    let allowed = policy.preference.rawValue
    throw HybridError(
      .invalidConfiguration,
      "the policy says \(allowed), and \(wish.spelling) asks for \(wish.preference.rawValue)",
      nextStep: "a request can narrow a policy and never widen it: leave the option out",
      details: ["policy": .string(allowed), "request": .string(wish.preference.rawValue)])
  }
}

extension RequestOptions.Wish {
  fileprivate init?(_ arguments: ParsedArguments) throws(HybridError) {
    let side: Side
    if let wanted: Side = try arguments.word(.prefer) {
      side = wanted
      preference = side == .local ? .preferLocal : .preferRemote
      spelling = "\(Option.prefer.spelling) \(side.rawValue)"
    } else if let wanted: Side = try arguments.word(.only) {
      side = wanted
      preference = side == .local ? .localOnly : .remoteOnly
      spelling = "\(Option.only.spelling) \(side.rawValue)"
    } else {
      return nil
    }
  }
}

extension ParsedArguments {
  /// A value that must not be blank.
  func filled(_ option: Option) throws(HybridError) -> String? {
    try filledValues(option).last
  }

  /// - Throws: `usage` for a blank one, which is nearly always a script's unset variable.
  func filledValues(_ option: Option) throws(HybridError) -> [String] {
    let values = values(option)
    if values.contains(where: { $0.allSatisfy(\.isWhitespace) && option != .stop || $0.isEmpty }) {
      throw .usage(
        "\(option.spelling) is empty", nextStep: "give a value or leave the option out",
        details: ["option": .string(option.spelling)])
    }
    return values
  }
}
