public import HybridCore

extension RoutingPlan {
  /// The plan as `hybrid plan --json` prints it.
  public var json: JSONValue {
    [
      "ranOn": .optional(ranOn?.rawValue),
      "reason": reason?.json ?? .null,
      "checks": .array(checks.map(\.json)),
      "promptTokens": promptTokens?.json ?? .null,
      "reservedOutputTokens": .int(reservedOutputTokens),
      "contextLength": .optional(contextLength),
      "fallback": .optional(fallback?.rawValue),
      // Nothing measures the sides' speed or knows a price.
      "predicted": ["local": .null, "remote": .null],
      "estimatedCost": .null,
      "counterfactual": .optional(counterfactual),
    ]
  }
}

extension CheckEntry {
  public var json: JSONValue {
    [
      "code": .string(code.rawValue), "side": .string(side.rawValue),
      "verdict": .string(verdict.rawValue), "details": .object(details),
    ]
  }
}

extension PromptTokens {
  public var json: JSONValue {
    ["count": .int(count), "counted": .bool(isCounted)]
  }
}

extension Reason {
  public var json: JSONValue {
    [
      "code": .string(code.rawValue), "message": .string(message), "details": .object(details),
    ]
  }

  /// A reason with the sentence that belongs to its code and numbers.
  public init(_ code: ReasonCode, details: JSONObject = [:]) {
    self.init(code: code, message: ReasonText.of(code).sentence(details), details: details)
  }
}
