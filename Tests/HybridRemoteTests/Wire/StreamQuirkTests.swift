import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// A response, and what a run makes of it.
struct Quirk: Sendable, CustomTestStringConvertible {
  var name: String
  var type: String?
  var body: String
  var text = ""
  var reasoning = ""
  var finish: FinishReason?
  var usage: Usage?
  var error: ErrorCode?

  var testDescription: String { name }

  init(
    _ name: String, type: String? = "text/event-stream", _ body: String, text: String = "",
    reasoning: String = "", finish: FinishReason? = nil, usage: Usage? = nil,
    error: ErrorCode? = nil
  ) {
    self.name = name
    self.type = type
    self.body = body
    self.text = text
    self.reasoning = reasoning
    self.finish = finish
    self.usage = usage
    self.error = error
  }
}

private let usage = Usage(promptTokens: 5, completionTokens: 2, counted: true)
private let counts = #""usage":{"prompt_tokens":5,"completion_tokens":2}"#
private let role = piece(#"{"role":"assistant","content":null}"#)
private let end = piece(finish: "stop")
private let done = "[DONE]"

private let quirks: [Quirk] = [
  Quirk(
    "role, content, finish, usage, done",
    stream(role, text("a"), text("b"), end, #"{"choices":[],\#(counts)}"#, done), text: "ab",
    finish: .stop, usage: usage),
  Quirk(
    "usage with null choices", stream(text("a"), end, #"{"choices":null,\#(counts)}"#, done),
    text: "a", finish: .stop, usage: usage),
  Quirk(
    "usage without choices", stream(text("a"), end, #"{\#(counts)}"#, done), text: "a",
    finish: .stop, usage: usage),
  Quirk(
    "usage beside the finish reason",
    stream(text("a"), piece(finish: "length", more: ",\(counts)")),
    text: "a", finish: .length, usage: usage),
  Quirk(
    "null usage on every piece",
    stream(piece(#"{"content":"a"}"#, more: #","usage":null"#), end, done),
    text: "a", finish: .stop),
  Quirk(
    "cached tokens",
    stream(
      text("a"), end,
      #"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"#
        + #""prompt_tokens_details":{"cached_tokens":4}}}"#), text: "a", finish: .stop,
    usage: Usage(promptTokens: 5, cachedTokens: 4, completionTokens: 2, counted: true)),
  Quirk(
    "done without its blank line", stream(text("a")) + "data: [DONE]\n", text: "a",
    finish: .unknown),
  Quirk(
    "done without any line end", stream(text("a")) + "data: [DONE]", text: "a",
    finish: .unknown),
  Quirk("done with trailing space", stream(text("a"), "[DONE] \t"), text: "a", finish: .unknown),
  Quirk(
    "done followed by more", stream(text("a"), done, text("b"), "{broken"), text: "a",
    finish: .unknown),
  Quirk("done twice", stream(text("a"), end, done, done), text: "a", finish: .stop),
  Quirk("no done", stream(text("a"), end), text: "a", finish: .stop),
  Quirk(
    "an unknown finish reason", stream(text("a"), piece(finish: "eos_token")), text: "a",
    finish: FinishReason(rawValue: "eos_token")),
  Quirk(
    "a filtered answer", stream(text("a"), piece(finish: "content_filter"), done), text: "a",
    finish: .contentFilter),
  Quirk("neither finish nor done", stream(role, text("a")), text: "a", error: .truncated),
  Quirk("nothing at all", "", error: .truncated),
  Quirk(
    "a finish without its blank line", stream(text("a")) + "data: \(end)\n", text: "a",
    error: .truncated),
  Quirk("only done", stream(done), finish: .unknown),
  Quirk(
    "keep-alives of all kinds",
    ": hello\n\ndata: : PROCESSING\n\ndata:\n\ndata: \n\nevent: ping\n\nretry: 5\n\nid: 3\n\n"
      + stream(text("a"), end, done), text: "a", finish: .stop),
  Quirk(
    "a ping event with words", "event: ping\ndata: hello\n\n" + stream(text("a"), end),
    text: "a", finish: .stop),
  Quirk(
    "empty and null content", stream(text(""), role, text("a"), text(""), end), text: "a",
    finish: .stop),
  Quirk(
    "reasoning only",
    stream(piece(#"{"reasoning_content":"hm"}"#), piece(#"{"reasoning_content":"!"}"#), end, done),
    reasoning: "hm!", finish: .stop),
  Quirk(
    "reasoning by its other name",
    stream(piece(#"{"reasoning":"hm","content":""}"#), text("a"), end, done), text: "a",
    reasoning: "hm", finish: .stop),
  Quirk(
    "a refusal in the model's words",
    stream(piece(#"{"refusal":"No."}"#), end, done), text: "No.", finish: .stop),
  Quirk(
    "content in parts",
    stream(piece(#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#), end),
    text: "ab", finish: .stop),
  Quirk(
    "a second choice, which nobody asked for",
    stream(
      text("a"),
      #"{"choices":[{"index":0,"delta":{"content":"b"}},{"index":1,"delta":{"content":"x"}}]}"#,
      end, done), text: "a", error: .badEventStream),
  Quirk(
    "an answer without the index 0",
    stream(#"{"choices":[{"index":1,"delta":{"content":"x"}}]}"#, end, done),
    error: .badEventStream),
  Quirk(
    "an index below 0", stream(#"{"choices":[{"index":-1,"delta":{"content":"x"}}]}"#, end, done),
    error: .badEventStream),
  Quirk(
    "an answer without an index",
    stream(#"{"choices":[{"delta":{"content":"a"}}]}"#, end, done), text: "a", finish: .stop),
  Quirk(
    "whole messages in a stream",
    stream(#"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#, done), text: "a",
    finish: .stop),
  Quirk(
    "CR LF and a mark", "\u{feff}" + stream(text("a"), end, done).replacing("\n", with: "\r\n"),
    text: "a", finish: .stop),
  Quirk(
    "pretty JSON over data lines",
    "data: {\"choices\":[{\ndata:  \"delta\":{\"content\":\"a\"}}]}\n\n"
      + stream(end), text: "a", finish: .stop),
  Quirk(
    "escaped characters beyond the first plane", stream(text(#"\ud83d\ude00é"#), end), text: "😀é",
    finish: .stop),

  Quirk(
    "an error object", stream(#"{"error":{"message":"no","type":"server_error"}}"#),
    error: .server),
  Quirk(
    "an error object after text",
    stream(text("a"), #"{"error":{"message":"busy","code":503}}"#), text: "a", error: .overloaded),
  Quirk("an error as a text", stream(#"{"error":"no"}"#), error: .server),
  Quirk(
    "an error event", "event: error\ndata: {\"message\":\"no\",\"code\":429}\n\n",
    error: .rateLimited),
  Quirk("an error event in words", "event: error\ndata: it broke\n\n", error: .server),
  Quirk(
    "an error event without its end", "event: error\ndata: {\"code\":401}", error: .authentication),
  Quirk(
    "error_type and error_message",
    stream(#"{"error_type":"overloaded_error","error_message":"no"}"#), error: .overloaded),
  Quirk(
    "an old llama.cpp error line",
    "error: {\"code\":500,\"message\":\"no\",\"type\":\"server_error\"}\n\n",
    error: .server),
  Quirk(
    "the same without its end", "error: {\"code\":503,\"message\":\"Loading\"}", error: .overloaded),
  Quirk(
    "an error in a choice",
    stream(#"{"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":429}}]}"#),
    error: .rateLimited),
  Quirk(
    "the finish reason error", stream(text("a"), piece(finish: "error"), done), text: "a",
    error: .server),
  Quirk(
    "an object that says it is an error", stream(#"{"object":"error","message":"no","code":400}"#),
    error: .invalidRequest),
  Quirk(
    "a type that says so",
    stream(#"{"type":"error","error":{"type":"overloaded_error","message":"no"}}"#),
    error: .overloaded),
  Quirk(
    "null and empty errors are none",
    stream(
      piece(#"{"content":"a"}"#, more: #","error":null"#),
      piece(finish: "stop", more: #","error":"""#)),
    text: "a", finish: .stop),
  Quirk(
    "a context overflow in a stream",
    stream(
      #"{"error":{"message":"x","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":4}}"#
    ),
    error: .contextLength),
  Quirk("broken JSON", stream(text("a"), "{broken"), text: "a", error: .badJSON),
  Quirk("JSON that is no object", stream("[1]"), error: .badJSON),

  Quirk(
    "tool calls announced, and none sent", stream(piece(finish: "tool_calls"), done),
    error: .badEventStream),
  Quirk(
    "the same after text", stream(text("a"), piece(finish: "tool_calls"), done), text: "a",
    error: .badEventStream),
  Quirk(
    "tool calls that are a text", stream(piece(#"{"tool_calls":"f"}"#), end, done),
    error: .badEventStream),
  Quirk(
    "tool calls that are a number", stream(piece(#"{"tool_calls":1}"#), end, done),
    error: .badEventStream),
  Quirk(
    "a tool call that is a text", stream(piece(#"{"tool_calls":["f"]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "a tool call that is null", stream(piece(#"{"tool_calls":[null]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "a tool call that is a number", stream(piece(#"{"tool_calls":[1]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "a function that is a text", stream(piece(#"{"tool_calls":[{"function":"f"}]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "arguments that are a number",
    stream(piece(#"{"tool_calls":[{"function":{"name":"f","arguments":1}}]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "null tool calls are none", stream(piece(#"{"content":"a","tool_calls":null}"#), end, done),
    text: "a", finish: .stop),
  Quirk(
    "content that is a number", stream(piece(#"{"content":7}"#), end, done),
    error: .badEventStream),
  Quirk(
    "content that is an object, after text",
    stream(text("a"), piece(#"{"content":{"text":"b"}}"#), end, done), text: "a",
    error: .badEventStream),
  Quirk(
    "a part that is a number", stream(piece(#"{"content":["a",7]}"#), end, done),
    error: .badEventStream),
  Quirk(
    "a delta that is a text", stream(#"{"choices":[{"delta":"a"}]}"#, end, done),
    error: .badEventStream),
  Quirk(
    "a choice that is a text", stream(#"{"choices":["a"]}"#, end, done), error: .badEventStream),

  Quirk(
    "a negative count is unknown",
    stream(
      text("a"), end, #"{"usage":{"prompt_tokens":-5,"completion_tokens":2}}"#, done), text: "a",
    finish: .stop, usage: Usage(promptTokens: nil, completionTokens: 2, counted: false)),
  Quirk(
    "so is one that no tokenizer reaches",
    stream(
      text("a"), end,
      #"{"usage":{"prompt_tokens":5,"completion_tokens":9007199254740993}}"#, done), text: "a",
    finish: .stop, usage: Usage(promptTokens: 5, completionTokens: nil, counted: false)),
  Quirk(
    "and a broken one",
    stream(
      text("a"), end,
      #"{"usage":{"prompt_tokens":5,"completion_tokens":1.5,"#
        + #""prompt_tokens_details":{"cached_tokens":-1}}}"#, done), text: "a", finish: .stop,
    usage: Usage(promptTokens: 5, completionTokens: nil, counted: false)),
  Quirk(
    "counts that are all absurd",
    stream(text("a"), end, #"{"usage":{"prompt_tokens":-1,"completion_tokens":1e17}}"#, done),
    text: "a", finish: .stop),

  Quirk(
    "a plain completion", type: "application/json; charset=utf-8",
    #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],\#(counts)}"#, text: "a",
    finish: .stop, usage: usage),
  Quirk(
    "a plain completion without a type", type: nil,
    #" {"choices":[{"message":{"content":"a"}}]}"#, text: "a", finish: .unknown),
  Quirk(
    "a plain error", type: "application/json", #"{"error":{"message":"no","code":404}}"#,
    error: .notFound),
  Quirk(
    "a plain completion whose content is a number", type: "application/json",
    #"{"choices":[{"message":{"content":7},"finish_reason":"stop"}]}"#, error: .badJSON),
  Quirk(
    "a plain completion whose tool calls are a text", type: "application/json",
    #"{"choices":[{"message":{"tool_calls":"f"},"finish_reason":"stop"}]}"#, error: .badJSON),
  Quirk(
    "a plain completion without the tool calls it announces", type: "application/json",
    #"{"choices":[{"message":{"content":null},"finish_reason":"tool_calls"}]}"#, error: .badJSON),
  Quirk("a plain body without choices", type: "application/json", "{}", error: .badJSON),
  Quirk("a plain body cut off", type: "application/json", #"{"choices":[{"mess"#, error: .badJSON),
  Quirk(
    "a stream called plain text", type: "text/plain", stream(text("a"), end), text: "a",
    finish: .stop),
  Quirk(
    "a stream called JSON", type: "application/json", stream(text("a"), end), text: "a",
    finish: .stop),
  Quirk(
    "a stream without a type", type: nil, ": hi\n\n" + stream(text("a"), end), text: "a",
    finish: .stop),
  Quirk("a web page", type: "text/html", "<html>log in</html>", error: .wrongContentType),
  Quirk("a web page without a type", type: nil, "<!doctype html>", error: .wrongContentType),
  Quirk("an image", type: "image/png", "\u{1}PNG", error: .wrongContentType),
]

/// Streams as gateways send them, and not only as the protocol has them.
@Suite(.timeLimit(.minutes(10)))
struct StreamQuirkTests {
  private func expect(
    _ quirk: Quirk, pieces: [[UInt8]], _ comment: Comment
  ) async throws {
    let transport = ClosureTransport { _, _ in .scripted(type: quirk.type, pieces: pieces) }
    // One try: what the stream itself gives.
    let client = try GatewayClient.scripted(transport) { $0.retries.maximumTries = 1 }
    let (result, failure) = await Collected.run(client)
    #expect(result.text == quirk.text, comment)
    #expect(result.reasoning == quirk.reasoning, comment)
    #expect(result.completion?.finishReason == quirk.finish, comment)
    #expect(result.completion?.usage == quirk.usage, comment)
    #expect(result.error == quirk.error, comment)
    #expect(failure?.committed ?? false == (quirk.error != nil && !quirk.text.isEmpty), comment)
    #expect(failure?.partialText ?? "" == (quirk.error == nil ? "" : quirk.text), comment)
  }

  @Test(arguments: quirks)
  func `whole`(quirk: Quirk) async throws {
    try await expect(quirk, pieces: [Array(quirk.body.utf8)], "whole")
  }

  @Test(arguments: quirks)
  func `byte by byte`(quirk: Quirk) async throws {
    try await expect(quirk, pieces: quirk.body.utf8.map { [$0] }, "byte by byte")
  }

  @Test(arguments: quirks)
  func `cut in two at every byte`(quirk: Quirk) async throws {
    let bytes = Array(quirk.body.utf8)
    for cut in bytes.indices {
      try await expect(
        quirk, pieces: [Array(bytes[..<cut]), Array(bytes[cut...])], "cut at \(cut)")
    }
  }
}
