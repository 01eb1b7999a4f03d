internal import HybridCore

extension Command {
  /// A token count, by the model's own tokenizer.
  static let tokens: Command = Command(
    name: "tokens", operand: "[TEXT]",
    summary: "count tokens by the local model's own tokenizer",
    examples: [
      Example(line: #"hybrid tokens "Why is the sky blue?""#, meaning: "of the text alone"),
      Example(line: "hybrid tokens < report.txt", meaning: "of a file, every byte of it"),
      Example(
        line: "hybrid tokens --messages chat.json",
        meaning: "of a conversation as the model would see it, its template included"),
    ],
    notes: [
      """
      Prints one integer. No beginning token is added to plain text, and nothing in it is special.
      With --messages, TEXT becomes the last user turn. Reads the vocabulary, never the weights.
      """
    ],
    groups: [OptionGroup(title: "What to count", options: [.messages, .localModel])],
    run: { invocation throws(HybridError) in
      guard let model = try ModelChoice.of(invocation.arguments, invocation.environment) else {
        throw HybridError(
          .modelNotFound, "no local model is found",
          nextStep: "see hybrid models for where to put it",
          side: .local)
      }
      let input = try PromptInput(invocation)
      if let feature = ChatRequest(messages: input.messages, tools: input.tools).features.min() {
        throw HybridError(
          .unsupportedFeature,
          "the messages file asks for what the local side cannot do: "
            + feature.rawValue, nextStep: "leave that out of the file", side: .local)
      }
      let count =
        input.file == nil
        ? try LocalSetup.count(input.prompt ?? "", path: model.path)
        : try LocalSetup.count(input.messages, path: model.path)
      try invocation.console.write("\(count)\n")
      return .done
    })
}
