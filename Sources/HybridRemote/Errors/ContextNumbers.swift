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
    let fields = (error.promptTokens.flatMap(usable), error.contextLength.flatMap(usable))
    if fields.0 != nil || fields.1 != nil { return fields }
    guard let message = error.message else { return (nil, nil) }
    let text = message.prefix(2048).lowercased()
    var context = number(after: contextLeads, in: text)
    var prompt = number(after: promptLeads, in: text)
    // Two numbers without known words around them: the larger one did not fit.
    let found = Set(numbers(in: text))
    let all = found.compactMap(\.self).sorted()
    if found.count == 2, all.count == 2 {
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
      if let number = leadingNumber(text[range.upperBound...]) { return usable(number) }
    }
    return nil
  }

  /// All that stand in a text; nil for one that counts no tokens.
  private static func numbers(in text: String) -> [Int?] {
    var numbers: [Int?] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      let isNegative = text[..<start].last == "-"
      rest = rest[start...]
      numbers.append(isNegative ? nil : leadingNumber(rest).flatMap(usable))
      rest = rest.drop { isOfNumber($0) || $0 == "." }
    }
    return numbers
  }

  /// Digits, commas between them allowed. A fraction is read as 0: no number of tokens.
  private static func leadingNumber(_ text: Substring) -> Int? {
    let digits = text.prefix(while: isOfNumber)
    let rest = text[digits.endIndex...]
    if rest.first == ".", let next = rest.dropFirst().first, next.isASCII, next.isNumber {
      return digits.isEmpty ? nil : 0
    }
    return Int(digits.filter { $0 != "," })
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    (character.isASCII && character.isNumber) || character == ","
  }

  /// nil for what no prompt and no context has: 0, less, or over 2^53.
  private static func usable(_ number: Int) -> Int? {
    number > 0 && number.isTokenCount ? number : nil
  }
}
