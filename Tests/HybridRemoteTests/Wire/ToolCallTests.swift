import HybridCore
import HybridRemote
import Testing

/// Deltas as gateways send them, and the calls that they make.
struct ToolCallCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// The `tool_calls` lists, one a piece.
  var deltas: [String]
  var finish: String
  var calls: [ToolCall]
  var error: ErrorCode?

  var testDescription: String { name }

  init(
    _ name: String, _ deltas: [String], finish: String = "tool_calls", _ calls: [ToolCall] = [],
    error: ErrorCode? = nil
  ) {
    self.name = name
    self.deltas = deltas
    self.finish = finish
    self.calls = calls
    self.error = error
  }
}

private func delta(
  index: Int? = nil, id: String? = nil, name: String? = nil, _ arguments: String? = nil
) -> String {
  var fields: [String] = []
  if let index { fields.append(#""index":\#(index)"#) }
  if let id { fields.append(#""id":"\#(id)""#) }
  var function: [String] = []
  if let name { function.append(#""name":"\#(name)""#) }
  if let arguments {
    let escaped = arguments.replacing("\"", with: "\\\"")
    function.append(#""arguments":"\#(escaped)""#)
  }
  fields.append(#""function":{\#(function.joined(separator: ","))}"#)
  return "{\(fields.joined(separator: ","))}"
}

private let f1 = ToolCall(id: "a", name: "f", arguments: #"{"x":1}"#)
private let g2 = ToolCall(id: "b", name: "g", arguments: #"{"y":2}"#)

private let cases: [ToolCallCase] = [
  ToolCallCase(
    "id and index on the first, index after it",
    [delta(index: 0, id: "a", name: "f", ""), delta(index: 0, #"{"x""#), delta(index: 0, ":1}")],
    [f1]),
  ToolCallCase(
    "two calls by index",
    [
      delta(index: 0, id: "a", name: "f", ""), delta(index: 0, #"{"x":1}"#),
      delta(index: 1, id: "b", name: "g", ""), delta(index: 1, #"{"y":2}"#),
    ], [f1, g2]),
  ToolCallCase(
    "two calls by index, their pieces mixed",
    [
      delta(index: 0, id: "a", name: "f", #"{"x"#), delta(index: 1, id: "b", name: "g", #"{"y"#),
      delta(index: 0, #"":1}"#), delta(index: 1, #"":2}"#),
    ], [f1, g2]),
  ToolCallCase(
    "all with index 0 and ids of their own",
    [
      delta(index: 0, id: "a", name: "f", #"{"x":1}"#),
      delta(index: 0, id: "b", name: "g", #"{"y":2}"#),
    ],
    [f1, g2]),
  ToolCallCase(
    "the id on every piece",
    [delta(index: 0, id: "a", name: "f", #"{"x""#), delta(index: 0, id: "a", ":1}")], [f1]),
  ToolCallCase(
    "no index, the id on the first",
    [
      delta(id: "a", name: "f", ""), delta(#"{"x""#), delta(":1}"),
      delta(id: "b", name: "g", #"{"y":2}"#),
    ],
    [f1, g2]),
  ToolCallCase(
    "ids alone, their pieces mixed",
    [
      delta(id: "a", name: "f", #"{"x"#), delta(id: "b", name: "g", #"{"y"#),
      delta(id: "a", #"":1}"#),
      delta(id: "b", #"":2}"#),
    ], [f1, g2]),
  ToolCallCase(
    "the name repeated on every piece",
    [delta(index: 0, id: "a", name: "f", #"{"x""#), delta(index: 0, name: "f", ":1}")], [f1]),
  ToolCallCase(
    "two calls in one delta",
    [
      delta(index: 0, id: "a", name: "f", #"{"x":1}"#) + ","
        + delta(index: 1, id: "b", name: "g", #"{"y":2}"#)
    ],
    [f1, g2]),
  ToolCallCase(
    "neither id nor index: a name starts the next",
    [delta(name: "f", #"{"x":1}"#), delta(name: "g", #"{"y":2}"#)],
    [
      ToolCall(id: "call_0", name: "f", arguments: #"{"x":1}"#),
      ToolCall(id: "call_1", name: "g", arguments: #"{"y":2}"#),
    ]),
  ToolCallCase(
    "the same function twice without ids",
    [delta(index: 0, name: "f", #"{"x":1}"#), delta(index: 0, name: "f", #"{"x":2}"#)],
    [
      ToolCall(id: "call_0", name: "f", arguments: #"{"x":1}"#),
      ToolCall(id: "call_1", name: "f", arguments: #"{"x":2}"#),
    ]),
  ToolCallCase(
    "the id comes after the beginning",
    [delta(index: 0, name: "f", ""), delta(index: 0, id: "a", #"{"x":1}"#)], [f1]),
  ToolCallCase(
    "no arguments",
    [delta(index: 0, id: "a", name: "f", ""), delta(index: 1, id: "b", name: "g")],
    [ToolCall(id: "a", name: "f", arguments: "{}"), ToolCall(id: "b", name: "g", arguments: "{}")]),
  ToolCallCase(
    "numbers of any length stay as they are",
    [delta(index: 0, id: "a", name: "f", #"{"n":9007199254740993}"#)],
    [ToolCall(id: "a", name: "f", arguments: #"{"n":9007199254740993}"#)]),
  ToolCallCase(
    "the finish reason stop serves too",
    [delta(index: 0, id: "a", name: "f", #"{"x":1}"#)], finish: "stop", [f1]),
  ToolCallCase(
    "cut off by the length: the whole call alone",
    [
      delta(index: 0, id: "a", name: "f", #"{"x":1}"#),
      delta(index: 1, id: "b", name: "g", #"{"y":"#),
    ],
    finish: "length", [f1]),
  ToolCallCase(
    "cut off before the arguments", [delta(index: 0, id: "a", name: "f", "")],
    finish: "length"),

  ToolCallCase(
    "a whole answer with half a call", [delta(index: 0, id: "a", name: "f", #"{"x":"#)],
    error: .badJSON),
  ToolCallCase(
    "arguments that are no object", [delta(index: 0, id: "a", name: "f", "[1]")],
    error: .badJSON),
  ToolCallCase("a call without a name", [delta(index: 0, id: "a", "{}")], error: .badJSON),
  ToolCallCase("a piece before any call", [delta("{}")], error: .badJSON),
  ToolCallCase(
    "two names for one id",
    [delta(id: "a", name: "f", #"{"x"#), delta(id: "a", name: "g", #"":1}"#)], error: .badJSON),
  ToolCallCase(
    "another name in the middle of arguments",
    [delta(name: "f", #"{"x"#), delta(name: "g", #"":1}"#)], error: .badJSON),
  ToolCallCase(
    "two bare pieces in one delta",
    [delta(name: "f", "{"), delta("}") + "," + delta("}")], error: .badJSON),
]

struct ToolCallTests {
  @Test(arguments: cases)
  func `assembled`(example: ToolCallCase) async throws {
    let pieces =
      example.deltas.map { "data: \(piece(#"{"tool_calls":[\#($0)]}"#))\n\n" }
      + [stream(piece(finish: example.finish), "[DONE]")]
    let transport = ClosureTransport { _, _ in .scripted(pieces.joined()) }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    let (result, _) = await Collected.run(client)
    #expect(result.calls == example.calls)
    #expect(result.error == example.error)
    if example.error == nil {
      #expect(
        result.completion?.finishReason
          == FinishReason(rawValue: example.finish == "tool_calls" ? "toolCalls" : example.finish))
    }
  }

  @Test func `a stream cut off inside a call gives no call`() async throws {
    let body = stream(piece(#"{"tool_calls":[\#(delta(index: 0, id: "a", name: "f", "{}"))]}"#))
    let transport = ClosureTransport { _, _ in .scripted(body) }
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    let (result, _) = await Collected.run(client)
    #expect(result.calls.isEmpty)
    #expect(result.error == .truncated)
  }

  @Test func `a call comes out before the end and after the text`() async throws {
    let body = stream(
      text("calling"), piece(#"{"tool_calls":[\#(delta(index: 0, id: "a", name: "f", "{}"))]}"#),
      piece(finish: "tool_calls"), "[DONE]")
    let transport = ClosureTransport { _, _ in .scripted(body) }
    let client = try GatewayClient.scripted(transport)
    var events: [ExecutorEvent] = []
    for try await event in try await client.start(ChatRequest(prompt: "x"), in: ExecutionContext())
    {
      events.append(event)
    }
    #expect(
      events.dropLast() == [
        .text("calling"), .toolCall(ToolCall(id: "a", name: "f", arguments: "{}")),
      ])
  }
}
