internal import HybridCore

/// Finds out whether a gateway's error says that the conversation is too long, and by how much.
enum ContextNumbers {
  static let codes: Set<String> = [
    "context_length_exceeded", "exceed_context_size_error", "context_window_exceeded",
  ]

  /// Words that gateways use for it where they have no code.
  private static let phrases = [
    "maximum context length", "context length", "context size", "context window", "context limit",
    "prompt is too long", "input is too long", "too many input tokens",
    "`inputs` tokens + `max_new_tokens` must be", "max_model_len",
  ]

  static func isContextLength(_ error: WireError) -> Bool {
    if let code = error.code, codes.contains(code) { return true }
    if let type = error.type, codes.contains(type) { return true }
    guard let message = error.message?.prefix(2048).lowercased() else { return false }
    return phrases.contains { message.contains($0) }
  }

  /// The tokens asked for and the tokens there are; nil for what is not told.
  static func numbers(_ error: WireError) -> (prompt: Int?, context: Int?) {
    if error.promptTokens != nil || error.contextLength != nil {
      return (error.promptTokens, error.contextLength)
    }
    guard let message = error.message else { return (nil, nil) }
    let text = message.prefix(2048).lowercased()
    var context = number(after: contextLeads, in: text)
    var prompt = number(after: promptLeads, in: text)
    // Two numbers without known words around them: the larger one did not fit.
    let all = Set(numbers(in: text)).sorted()
    if all.count == 2 {
      if context == nil { context = all.first { $0 != prompt } }
      if prompt == nil { prompt = all.last { $0 != context } }
    }
    return (prompt, context)
  }

  private static let contextLeads = [
    "maximum context length is ", "context length of ", "context length is ", "context size (",
    "context size of ", "context window of ", "context window is ", "must be <= ", "tokens > ",
    "max_model_len ", "context length (", "maximum of ",
  ]

  private static let promptLeads = [
    "resulted in ", "you requested ", "request (", "too long: ", "given: ", "prompt contains ",
    "input has ", "prompt has ", "prompt (", "contains at least ", "input length of ",
  ]

  private static func number(after leads: [String], in text: String) -> Int? {
    for lead in leads {
      guard let range = text.firstRange(of: lead) else { continue }
      if let number = leadingNumber(text[range.upperBound...]) { return number }
    }
    return nil
  }

  private static func numbers(in text: String) -> [Int] {
    var numbers: [Int] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      rest = rest[start...]
      if let number = leadingNumber(rest) { numbers.append(number) }
      rest = rest.drop { ($0.isASCII && $0.isNumber) || $0 == "," }
    }
    return numbers
  }

  /// Digits, commas between them allowed.
  private static func leadingNumber(_ text: Substring) -> Int? {
    let digits = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "," }
    return Int(digits.filter { $0 != "," })
  }
}
