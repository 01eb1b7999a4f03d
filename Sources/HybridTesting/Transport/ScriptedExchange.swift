public import HybridCore
public import HybridRemote

/// One response as a ``ScriptedTransport`` gives it, piece by piece.
public struct ScriptedExchange: Sendable {
  public enum Step: Sendable {
    /// Bytes that arrive together. Before the head they make no sense and are left out.
    case bytes([UInt8])
    /// Waits until the test opens the gate. A closed gate ignores every limit.
    case gate(Gate)
    /// Lets time pass on the transport's clock. Where one of the request's limits comes first, the
    /// exchange ends there with that limit's `timeout` code.
    case wait(Duration)
    /// Ends the exchange with an error: before the head a refused connection, after it a cut one.
    case failure(HybridError)
  }

  /// What comes before the head.
  public var opening: [Step]
  public var status: Int
  public var headers: HTTPHeaders
  /// The body. It ends well after the last step.
  public var steps: [Step]

  public init(
    opening: [Step] = [], status: Int = 200, headers: HTTPHeaders = [:], steps: [Step] = []
  ) {
    self.opening = opening
    self.status = status
    self.headers = headers
    self.steps = steps
  }
}

extension ScriptedExchange {
  /// A whole body in one piece.
  public static func response(
    _ status: Int, _ body: String = "", contentType: String = "application/json",
    headers: HTTPHeaders = [:]
  ) -> ScriptedExchange {
    var headers = headers
    headers["Content-Type"] = contentType
    let steps: [Step] = body.isEmpty ? [] : [.bytes(Array(body.utf8))]
    return ScriptedExchange(status: status, headers: headers, steps: steps)
  }

  /// An event stream of these data, each event in a piece of its own. Nothing is added: without
  /// `[DONE]` or a finish reason it reads as cut off.
  public static func events(_ data: String...) -> ScriptedExchange {
    ScriptedExchange(
      headers: ["Content-Type": "text/event-stream"], steps: data.map { event($0) })
  }

  /// A chat completion as gateways stream one: a role, these texts, a finish reason, the usage, and
  /// `[DONE]`, each in a piece of its own.
  ///
  /// - Parameters:
  ///   - model: the model that answers.
  ///   - promptTokens: the number that the usage has; one token a text is the answer's.
  public static func answer(
    _ texts: String..., model: String = "scripted", promptTokens: Int = 20
  ) -> ScriptedExchange {
    func chunk(_ delta: JSONValue, finish: JSONValue = nil) -> Step {
      event(
        text([
          "id": "scripted-1", "object": "chat.completion.chunk", "model": .string(model),
          "choices": [["index": 0, "delta": delta, "finish_reason": finish]],
        ]))
    }
    let usage: JSONValue = [
      "id": "scripted-1", "object": "chat.completion.chunk", "model": .string(model),
      "choices": [],
      "usage": [
        "prompt_tokens": .int(promptTokens), "completion_tokens": .int(texts.count),
        "total_tokens": .int(promptTokens + texts.count),
      ],
    ]
    let steps =
      [chunk(["role": "assistant"])] + texts.map { chunk(["content": .string($0)]) }
      + [chunk([:], finish: "stop"), event(text(usage)), event("[DONE]")]
    return ScriptedExchange(headers: ["Content-Type": "text/event-stream"], steps: steps)
  }

  /// A gateway's refusal, in the shape that OpenAI-compatible servers give errors.
  public static func refusal(
    _ status: Int, code: String? = nil, message: String = "refused", headers: HTTPHeaders = [:]
  ) -> ScriptedExchange {
    let body: JSONValue = ["error": ["message": .string(message), "code": .optional(code)]]
    return response(status, text(body), headers: headers)
  }

  /// No response: a name not found, nobody listening, a certificate refused.
  public static func failing(_ error: HybridError) -> ScriptedExchange {
    ScriptedExchange(opening: [.failure(error)])
  }

  private static func event(_ data: String) -> Step {
    .bytes(Array("data: \(data)\n\n".utf8))
  }

  private static func text(_ value: JSONValue) -> String {
    JSONWriter.compact.string(value)
  }
}
