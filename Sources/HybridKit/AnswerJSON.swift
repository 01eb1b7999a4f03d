public import HybridCore
internal import HybridRouting

// The shapes that `hybrid ask --json` prints. Scripts rely on the names.

extension Answer {
  /// The answer as one JSON object. Times are seconds; what is not known is null.
  public var json: JSONValue {
    [
      "text": .string(text),
      "ranOn": .string(ranOn.rawValue),
      "reason": reason?.json ?? .null,
      "model": .optional(model),
      "tunedFormat": .optional(completion.tunedFormat),
      "finishReason": .string(finishReason.rawValue),
      "usage": usage?.json ?? .null,
      "timings": timings.json,
      "attempts": .array(attempts.map(\.json)),
      "reasoning": .optional(reasoning),
      "toolCalls": .array(toolCalls.map(\.json)),
      "logProbs": TokenLogProb.json(logProbs),
      "otherChoices": .array(otherChoices.map(\.json)),
      "threads": completion.threads?.json ?? .null,
      "requestID": .optional(completion.requestID),
      "plan": plan.json,
    ]
  }
}

extension AnswerChoice {
  /// The members that an answer's JSON has by the same names.
  public var json: JSONValue {
    [
      "text": .string(text),
      "finishReason": .string(finishReason.rawValue),
      "reasoning": .optional(reasoning),
      "toolCalls": .array(toolCalls.map(\.json)),
      "logProbs": TokenLogProb.json(logProbs),
    ]
  }
}

extension HybridError {
  /// The error as the object under `error`.
  public var json: JSONValue {
    [
      "code": .string(code.rawValue),
      "message": .string(message),
      "nextStep": .optional(nextStep),
      "details": .object(details),
      "ranOn": .optional(side?.rawValue),
      "status": .optional(gateway?.status),
      "gateway": gateway?.json ?? .null,
      "requestID": .optional(gateway?.requestID),
      "partialText": .optional(partialText),
      "attempts": .array(attempts.map(\.json)),
    ]
  }
}

extension GatewayResponseInfo {
  /// What the gateway said of its refusal, in its own words.
  public var json: JSONValue {
    [
      "code": .optional(code),
      "type": .optional(type),
      "param": .optional(param),
      "message": .optional(message),
      "retryAfter": .optional(retryAfter),
    ]
  }
}

extension Usage {
  public var json: JSONValue {
    [
      "promptTokens": .optional(promptTokens),
      "cachedTokens": .optional(cachedTokens),
      "completionTokens": .optional(completionTokens),
      "counted": .bool(counted),
    ]
  }
}

extension Timings {
  public var json: JSONValue {
    [
      "queue": .optional(queue),
      "load": .optional(load),
      "prefill": .optional(prefill),
      "decode": .optional(decode),
      "firstToken": .optional(firstToken),
      "total": .optional(total),
      "throttled": .optional(throttled),
      "cpuPressure": cpuPressure.map { .double($0) } ?? .null,
    ]
  }
}

extension Attempt {
  public var json: JSONValue {
    [
      "side": .string(side.rawValue),
      "outcome": .string(outcome),
      "status": .optional(status),
      "seconds": .seconds(duration),
    ]
  }
}

extension ThreadCounts {
  var json: JSONValue { ["decode": .int(decode), "prefill": .int(prefill)] }
}

extension TokenLogProb {
  public var json: JSONValue {
    [
      "text": .string(text),
      "bytes": Self.json(bytes),
      "token": .optional(token),
      "logProb": .double(logProb),
      "alternatives": .array(alternatives.map(\.json)),
    ]
  }

  fileprivate static func json(_ tokens: [TokenLogProb]?) -> JSONValue {
    tokens.map { .array($0.map(\.json)) } ?? .null
  }

  fileprivate static func json(_ bytes: [UInt8]?) -> JSONValue {
    bytes.map { .array($0.map { .int(Int($0)) }) } ?? .null
  }
}

extension TokenLogProb.Alternative {
  public var json: JSONValue {
    [
      "text": .string(text),
      "bytes": TokenLogProb.json(bytes),
      "token": .optional(token),
      "logProb": .double(logProb),
    ]
  }
}

extension ToolCall {
  public var json: JSONValue {
    ["id": .string(id), "name": .string(name), "arguments": .string(arguments)]
  }
}
