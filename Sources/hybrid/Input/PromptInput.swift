internal import HybridCore

/// Where a request's words come from: an argument, stdin, a messages file, or several of these.
struct PromptInput: Sendable {
  let prompt: String?
  let system: String?
  let file: MessagesFile?

  /// Reads what the arguments name.
  ///
  /// - Throws: `usage` where nothing was given or two of them contradict each other; `invalidFile` and
  ///   `invalidText` for bad content. An empty prompt is left to the request's own validation.
  init(_ invocation: Invocation) throws(HybridError) {
    let operand = try invocation.operand("PROMPT")
    let path = invocation.arguments.value(.messages)
    system = invocation.arguments.value(.system)
    if operand == "-", path == "-" {
      throw .usage("PROMPT and --messages cannot both be stdin")
    }
    file =
      if let path {
        try MessagesFile(
          TextFile.read(path, kind: "messages file"),
          name: path == "-" ? "stdin" : "messages file \(path.quoted)")
      } else {
        nil
      }
    if system != nil, file?.messages.contains(where: { $0.role == .system }) == true {
      throw .usage(
        "--system is given, and the messages file has a system message too",
        nextStep: "leave one of them out")
    }
    prompt = try Self.prompt(operand, isNeeded: path == nil)
  }

  private static func prompt(
    _ operand: String?, isNeeded: Bool
  ) throws(HybridError) -> String? {
    if let operand, operand != "-" { return operand }
    guard operand == "-" || isNeeded else { return nil }
    // A dash asks for what is typed; nothing at all asks for a pipe.
    if operand == nil, StandardStream.input.isTerminal {
      throw .usage("no PROMPT, and stdin is a terminal", nextStep: "write the prompt or pipe it in")
    }
    return try TextInput.standard.readAll()
  }

  /// The conversation: the system message, the file's messages, the prompt.
  var messages: [ChatMessage] {
    (system.map { [.system($0)] } ?? []) + (file?.messages ?? [])
      + (prompt.map { [.user($0)] } ?? [])
  }

  var tools: [ToolDefinition] { file?.tools ?? [] }
}
