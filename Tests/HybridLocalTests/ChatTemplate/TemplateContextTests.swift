import HybridCore
import HybridLocal
import Testing

/// From the SDK's conversation to a template's variables.
@Suite struct TemplateContextTests {
  private static func render(
    _ source: String, _ messages: [ChatMessage], tools: [ToolDefinition] = []
  ) throws -> String {
    let context = TemplateContext(
      messages: messages, tools: tools, bosToken: "<s>", eosToken: "</s>",
      now: TemplateFixtures.date)
    return try ChatTemplate(source: source).render(context).text
  }

  @Test func `a message of text parts is one plain string`() throws {
    let message = ChatMessage(role: .user, content: [.text("a"), .text("b")])
    let text = try Self.render("{{ messages[0] }}", [message])
    #expect(text == "{'role': 'user', 'content': 'ab'}")
  }

  @Test func `a message with an image is a list of parts`() throws {
    let message = ChatMessage(role: .user, content: [.text("a"), .image(url: "https://x/y.png")])
    let text = try Self.render("{{ messages[0].content }}", [message])
    #expect(text == "[{'type': 'text', 'text': 'a'}, {'type': 'image', 'url': 'https://x/y.png'}]")
  }

  @Test func `tool calls, their answers and names keep their fields and order`() throws {
    let call = ToolCall(id: "c1", name: "f", arguments: #"{"b": [1, 2.5, null], "a": "é"}"#)
    let broken = ToolCall(id: "c2", name: "g", arguments: "{not json")
    let messages = [
      ChatMessage(role: .assistant, content: [], toolCalls: [call, broken]),
      ChatMessage(role: .tool, content: [.text("4")], name: "f", toolCallID: "c1"),
    ]
    #expect(
      try Self.render("{{ messages|tojson }}", messages) == #"""
        [{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"b": [1, 2.5, null], "a": "é"}}}, {"id": "c2", "type": "function", "function": {"name": "g", "arguments": "{not json"}}]}, {"role": "tool", "content": "4", "name": "f", "tool_call_id": "c1"}]
        """#)
  }

  @Test func `tools are none where there are none, else function definitions`() throws {
    #expect(try Self.render("{{ tools is none }}", [.user("a")]) == "True")
    let tool = ToolDefinition(name: "f", description: "d", parameters: ["type": "object"])
    #expect(
      try Self.render("{{ tools|tojson }}", [.user("a")], tools: [tool]) == """
        [{"type": "function", "function": {"name": "f", "description": "d", \
        "parameters": {"type": "object"}}}]
        """)
  }

  @Test func `a variable of the caller replaces one of the same name`() throws {
    var context = TemplateContext(
      messages: [ChatMessage.user("a")], bosToken: "<s>", eosToken: "</s>",
      now: TemplateFixtures.date)
    context.variables = [("bos_token", .content("x")), ("enable_thinking", .bool(false))]
    let source = "{{ bos_token }}{{ enable_thinking }}{{ add_generation_prompt }}"
    #expect(try ChatTemplate(source: source).render(context).text == "xFalseTrue")
  }

  @Test func `text beyond ASCII is kept code point by code point`() throws {
    // Swift takes the two spellings of é for the same string; a tokenizer does not.
    let text = try Self.render(
      "{{ messages[0].content == messages[1].content }}{{ messages[1].content }}",
      [.user("\u{E9}"), .user("e\u{301}")])
    #expect(Array(text.utf8) == Array("Falsee\u{301}".utf8))
  }

  static let dates: [(seconds: Int, text: String)] = [
    (0, "1970-01-01 00:00:00 Thu 001"), (951_782_400, "2000-02-29 00:00:00 Tue 060"),
    (1_721_984_707, "2024-07-26 09:05:07 Fri 208"), (4_102_444_799, "2099-12-31 23:59:59 Thu 365"),
    (-1, "1969-12-31 23:59:59 Wed 365"), (1_709_251_199, "2024-02-29 23:59:59 Thu 060"),
  ]

  @Test(arguments: dates)
  func `dates are those of the civil calendar`(_ seconds: Int, _ text: String) {
    #expect(TemplateDate(unixSeconds: seconds).formatted("%Y-%m-%d %H:%M:%S %a %j") == text)
  }
}
