import HybridCore
import Testing

@testable import hybrid

@Suite struct MessagesFileTests {
  @Test func `a list of messages is a conversation`() throws {
    let file = try MessagesFile(
      #"[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi", "name": "Ann"}]"#,
      name: "chat.json")
    #expect(
      file.messages == [
        .system("Be brief."), ChatMessage(role: .user, content: [.text("Hi")], name: "Ann"),
      ])
    #expect(file.tools.isEmpty)
  }

  @Test func `an object adds tools, and calls and their results are kept`() throws {
    let text = #"""
      {
        "messages": [
          {"role": "user", "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "https://host.example/a.png"}}
          ]},
          {"role": "assistant", "content": null, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"n\":1}"}}
          ]},
          {"role": "tool", "tool_call_id": "c1", "content": "a cat"}
        ],
        "tools": [
          {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "n": 1.50}}}
        ]
      }
      """#
    let file = try MessagesFile(text, name: "chat.json")
    #expect(
      file.messages[0].content == [
        .text("What is this?"), .image(url: "https://host.example/a.png"),
      ])
    #expect(
      file.messages[1].toolCalls == [ToolCall(id: "c1", name: "look", arguments: #"{"n":1}"#)])
    #expect(file.messages[1].content.isEmpty)
    #expect(file.messages[2].toolCallID == "c1")
    let parameters = try #require(file.tools.first?.parameters)
    #expect(JSONWriter.compact.string(parameters) == #"{"type":"object","n":1.50}"#)
  }

  @Test(
    arguments: [
      (#"[{"role": "user", "content": "Hi"},"#, nil, 1, 36),
      ("[\n  {\"role\": 'user'}\n]", nil, 2, 12),
      ("", nil, 1, 1),
      (#"[{"role": "user"}]"#, "[0].content", 1, 2),
      (#"[{"content": "Hi"}]"#, "[0].role", 1, 2),
      ("[{\"role\": \"user\",\n \"content\": 3}]", "[0].content", 2, 13),
      (#"[{"role": "user", "content": "Hi", "contant": 1}]"#, "[0].contant", 1, 36),
      (#"{"messages": "Hi"}"#, "messages", 1, 14),
      (#"{"message": []}"#, "message", 1, 2),
      (#"[{"role": "user", "content": [{"type": "sound"}]}]"#, "[0].content[0].type", 1, 40),
      (
        #"[{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f"}}]}]"#,
        "[0].tool_calls[0].function.arguments", 1, 63
      ),
    ] as [(String, String?, Int, Int)])
  func `what is wrong is named by path, line and column`(
    text: String, path: String?, line: Int, column: Int
  ) throws {
    let error = try #require(throws: HybridError.self) {
      try MessagesFile(text, name: "chat.json")
    }
    #expect(error.code == .invalidFile)
    #expect(error.details["path"]?.string == path, "\(error)")
    #expect(error.details["line"]?.int == line, "\(error)")
    #expect(error.details["column"]?.int == column, "\(error)")
    #expect(error.message.contains("chat.json"))
  }

  @Test(arguments: ["[]", #"{"messages": []}"#])
  func `a file without a message is refused`(text: String) throws {
    let error = try #require(throws: HybridError.self) {
      try MessagesFile(text, name: "chat.json")
    }
    #expect(error.message == "chat.json holds no message")
  }
}
