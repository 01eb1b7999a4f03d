import Foundation
import HybridCore
import HybridLocal
import Testing

/// Where the tests find templates and conversations.
enum TemplateFixtures {
  /// What `Fixtures/bootstrap --tests` leaves for tests.
  static let testing: URL = {
    let prefix = ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local"
    return URL(filePath: prefix).appending(path: "share/hybridkit/testing")
  }()

  static let models: URL = testing.deletingLastPathComponent().appending(path: "models")

  static let folder: URL = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/templates")

  /// The date that every render here is told, `now` in the oracle's spelling.
  static let date = TemplateDate(year: 2024, month: 7, day: 26, hour: 9, minute: 5, second: 7)
  static let now = "2024-07-26T09:05:07"

  /// The templates of real models that llama.cpp ships, by file name.
  static func realTemplates() throws -> [(name: String, source: String)] {
    let folder = testing.appending(path: "templates")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".jinja") }.sorted()
    return try names.map { name in
      (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }

  /// The template in the default model's file.
  static func defaultTemplate() throws -> String {
    let file = models.appending(path: "SmolLM2-135M-Instruct.Q4_1.gguf")
    let head = try FileHandle(forReadingFrom: file).read(upToCount: 8 << 20) ?? Data()
    let key = try #require(
      head.range(of: Data("tokenizer.chat_template".utf8)), "the model has no template")
    // Behind the key: the value's type (4 bytes), its length (8 bytes), its text.
    let length = key.upperBound + 4
    let count = head[length..<length + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    return String(decoding: head[(length + 8)...].prefix(count), as: UTF8.self)
  }

  static func json(_ name: String) throws -> JSONObject {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return try #require(try JSONReader.file.read(text).object)
  }
}

/// A conversation as templates are given it: all variables.
struct TemplateConversation: Sendable {
  var name: String
  var context: JSONObject

  /// All conversations of `Fixtures/templates/conversations.json`.
  static func all() throws -> [TemplateConversation] {
    let tools = try TemplateFixtures.json("tools.json")
    return try TemplateFixtures.json("conversations.json").members.map { member in
      var context: JSONObject = [
        "messages": try #require(member.value["messages"]), "tools": .null,
        "add_generation_prompt": member.value["add_generation_prompt"] ?? true,
        "bos_token": "<s>", "eos_token": "</s>",
      ]
      if let name = member.value["tools"]?.string { context["tools"] = tools[name] }
      for extra in member.value["extra"]?.object?.members ?? [] { context[extra.key] = extra.value }
      return TemplateConversation(name: member.key, context: context)
    }
  }

  /// As our renderer takes it. Roles are the API's own words; the rest is content.
  var templateContext: TemplateContext {
    var variables: [(name: String, value: TemplateValue)] = []
    let own = ["messages", "tools", "add_generation_prompt", "bos_token", "eos_token"]
    for member in context.members where !own.contains(member.key) {
      variables.append((member.key, TemplateValue(member.value)))
    }
    return TemplateContext(
      messages: (context["messages"]?.array ?? []).map(Self.message),
      tools: context["tools"]?.array?.map { TemplateValue($0) },
      addGenerationPrompt: context["add_generation_prompt"]?.bool ?? false,
      bosToken: context["bos_token"]?.string ?? "", eosToken: context["eos_token"]?.string ?? "",
      now: TemplateFixtures.date, variables: variables)
  }

  private static func message(_ json: JSONValue) -> TemplateValue {
    guard case .dict(var entries) = TemplateValue(json) else { return .none }
    for place in entries.indices where entries[place].key == "role" {
      entries[place].value = .string(json["role"]?.string ?? "", origin: .template)
    }
    return .dict(entries)
  }
}
