internal import HybridCore
internal import HybridLocal
internal import HybridRouting

extension Command {
  /// What a code means.
  static let explain: Command = Command(
    name: "explain", operand: "CODE | HTTP-STATUS",
    summary: "say what a reason or an error means, and what the policy does about it",
    examples: [
      Example(line: "hybrid explain contextTooLong", meaning: "a check, a reason or an error"),
      Example(line: "hybrid explain 429", meaning: "what a gateway's status may mean"),
      Example(
        line: "hybrid explain --policy service.json server",
        meaning: "as a service's own policy has it"),
    ],
    notes: ["Codes:\n" + HelpText.wrapped(ExplainedCode.names.joined(separator: " "), indent: 2)],
    groups: [OptionGroup(title: "Policy", options: [.policy])],
    run: { invocation throws(HybridError) in
      guard let name = try invocation.operand("CODE") else {
        throw .usage("no code", nextStep: "see hybrid explain --help for all codes")
      }
      let policy = try invocation.arguments.filled(.policy).map(PolicyFile.read)
      try invocation.console.write(
        ExplainedCode.text(name, policy: policy ?? RoutingPolicy()))
      return .done
    })
}

/// The words of the policy's own table, and of what only the command line knows.
enum ExplainedCode {
  /// - Parameter text: a code in any case, or an HTTP status.
  /// - Throws: `usage` with the nearest codes.
  static func text(_ text: String, policy: RoutingPolicy) throws(HybridError) -> String {
    if let status = Int(text), text.allSatisfy(\.isNumber) {
      return try self.text(status: status, policy: policy)
    }
    guard let name = names.first(where: { $0.lowercased() == text.lowercased() }) else {
      let near = nearest(to: text)
      throw .usage(
        "unknown code \(text.quoted)",
        nextStep: near.isEmpty
          ? "see hybrid explain --help for all codes"
          : "did you mean \(near.joined(separator: " or "))?",
        details: ["argument": .string(text), "nearest": .array(near.map { .string($0) })])
    }
    let paragraphs =
      Explanation.of(name, policy: policy).map(paragraph)
      + others.filter { $0.name == name }.map { "\($0.name): \($0.meaning)\n" }
    return paragraphs.joined(separator: "\n")
  }

  private static func text(status: Int, policy: RoutingPolicy) throws(HybridError) -> String {
    guard (100...599).contains(status) else {
      throw .usage("\(status) is no HTTP status", nextStep: "give one from 100 to 599")
    }
    let found = Explanation.of(String(status), policy: policy)
    if found.isEmpty { return "HTTP \(status): no failure\n" }
    return "HTTP \(status) means:\n\n" + found.map(paragraph).joined(separator: "\n")
  }

  private static func paragraph(_ explanation: Explanation) -> String {
    let code = ErrorCode(rawValue: explanation.code)
    let exit = ExitCode.table[code].map { "Exit code: \($0.rawValue)\n" } ?? ""
    return "\(explanation)\n\(exit)"
  }

  /// Every code that can be explained.
  static let names: [String] =
    Explanation.codes + others.map(\.name).filter { !Explanation.codes.contains($0) }

  /// Of a code in two parts, either part may have been meant: `timout` is near `timeout.idle`.
  private static func nearest(to text: String) -> [String] {
    let near = Suggestion.names(for: text, among: names, atMost: 5)
    if !near.isEmpty { return near }
    let parts = names.flatMap { $0.split(separator: ".").map(String.init) }
    return NearestName.of(text, among: parts).map { part in
      names.filter { $0.split(separator: ".").contains(part[...]) }
    } ?? []
  }

  /// The command line's own errors, and the finish reasons.
  private static let others: [(name: String, meaning: String)] =
    [
      (ErrorCode.usage, "the command line is wrong; --help shows what is right"),
      (.invalidText, "an input is not UTF-8; convert it, for example with iconv -t UTF-8"),
      (.outputClosed, "the reader of stdout went away, so the answer was stopped"),
      (
        .insufficientDiskSpace,
        "the disk has no room for tuned copies; free some, or move the cache"
      ),
      (.outputFailed, "stdout cannot be written; free some space or redirect it elsewhere"),
    ].map { ($0.0.rawValue, $0.1) }
    + [
      (FinishReason.stop, "finish reason: the model ended its answer, or a stop string came"),
      (.length, "finish reason: --max-tokens cut the answer off"),
      (.contextFull, "finish reason: the context was full and cut the answer off"),
      (.toolCalls, "finish reason: the model asks for tools to be called"),
      (.contentFilter, "finish reason: the gateway's content filter cut the answer off"),
      (.cancelled, "finish reason: the caller stopped the answer"),
      (.unknown, "finish reason: the gateway ended the answer properly and did not say why"),
    ].map { ($0.0.rawValue, $0.1) }
}
