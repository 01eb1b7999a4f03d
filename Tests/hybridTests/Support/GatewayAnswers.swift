import HybridTesting

/// What a gateway sends, for the tests of what the program prints.
enum GatewayAnswers {
  /// A whole streamed answer, a piece an event.
  static func text(_ pieces: [String], finish: String = "stop") -> [GatewayStep] {
    [.streamHead()] + pieces.map { delta($0) } + [end(finish), .event("[DONE]"), .close]
  }

  static func delta(_ text: String, choice: Int = 0) -> GatewayStep {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0..<0x20, 0x22, 0x5C:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(Character(scalar))
      }
    }
    return .event(
      #"{"model":"served","choices":[{"index":\#(choice),"delta":{"content":"\#(escaped.joined())"}}]}"#
    )
  }

  static func end(_ finish: String, choice: Int = 0) -> GatewayStep {
    .event(
      #"{"model":"served","choices":[{"index":\#(choice),"delta":{},"finish_reason":"\#(finish)"}],"#
        + #""usage":{"prompt_tokens":7,"completion_tokens":3}}"#)
  }

  static func error(_ status: Int, _ code: String, headers: [(String, String)] = []) -> GatewayStep
  {
    .response(
      status, #"{"error":{"message":"no","type":"\#(code)","code":"\#(code)"}}"#, headers: headers)
  }
}
