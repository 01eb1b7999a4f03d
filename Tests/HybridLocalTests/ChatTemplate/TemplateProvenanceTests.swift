import HybridCore
import HybridLocal
import Testing

/// Which text of a prompt is the template's, and which is content.
@Suite struct TemplateProvenanceTests {
  private static func render(
    _ source: String, user: String = "", variables: [(name: String, value: TemplateValue)] = []
  ) throws -> RenderedPrompt {
    let context = TemplateContext(
      messages: [.user(user)], bosToken: "<s>", eosToken: "</s>", now: TemplateFixtures.date,
      variables: variables)
    return try ChatTemplate(source: source).render(context)
  }

  /// The pieces with content in brackets.
  private static func marked(_ prompt: RenderedPrompt) -> String {
    prompt.pieces.map { $0.origin == .content ? "[\($0.text)]" : $0.text }.joined()
  }

  /// What is done with the user's message "<x>", and the prompt with content in brackets.
  static let cases: [(source: String, marked: String)] = [
    ("a{{ c }}b", "a[<x>]b"),
    ("{{ 'a' + c + 'b' }}", "a[<x>]b"),
    ("{{ 'a' ~ c ~ 1 }}", "a[<x>]1"),
    ("{{ c|upper }}{{ c|trim }}{{ c.strip('<') }}", "[<X><x>x>]"),
    ("{{ c[1:] }}{{ c[::-1] }}{{ c[0] }}", "[x>>x<<]"),
    ("{{ (c + c).split('x')|join('+') }}", "[<]+[><]+[>]"),
    ("{{ c|replace('x', 'y') }}", "[<]y[>]"),
    ("{{ 'axb'|replace('x', c) }}", "a[<x>]b"),
    ("{{ ['a', c]|join(c) }}", "a[<x><x>]"),
    ("{{ c|tojson }}{{ {'k': c}|tojson }}", "[\"<x>\"{\"]k[\": \"<x>\"}]"),
    ("{{ '%s!' % c }}{{ '{}!'.format(c) }}", "[<x>]![<x>]!"),
    ("{{ [c] }}", "[['<x>']]"),
    ("{{ c * 2 }}", "[<x><x>]"),
    ("{{ c if c else 'a' }}{{ c or 'a' }}{{ c|default('a') }}", "[<x><x><x>]"),
    ("{% set s %}a{{ c }}{% endset %}{{ s }}", "a[<x>]"),
    ("{% macro m(v) %}<{{ v }}>{% endmacro %}{{ m(c) }}", "<[<x>]>"),
    ("{% filter upper %}a{{ c }}{% endfilter %}", "A[<X>]"),
    ("{% set n = namespace(v=c) %}{{ n.v }}", "[<x>]"),
    ("{% for s in c %}{{ s }}.{% endfor %}", "[<].[x].[>]."),
    ("{{ c|list|first }}{{ c|indent(2, true) }}", "[<]  [<x>]"),
    ("{{ c|length }}{{ loop is defined }}", "3[False]"),
    ("{{ bos_token }}{{ c }}{{ eos_token }}", "<s>[<x>]</s>"),
    ("{{ '<|' + messages[0].role + '|>' }}", "<|user|>"),
    ("{{ c.split('x')[0] + '|im_start|>' }}", "[<]|im_start|>"),
    ("{{ ('<' ~ c)|e }}", "&lt;[&lt;x&gt;]"),
    ("{% for k in {c: 1} %}{{ k }}{% endfor %}", "[<x>]"),
    ("{{ c|format }}{{ c.format() }}", "[<x><x>]"),
    ("{{ c.center(7, '*') }}", "**[<x>]**"),
    ("{{ range(3)|join }}{{ 1 + 1 }}", "0122"),
    ("{{ strftime_now('%Y') }}", "2024"),
    ("", ""),
  ]

  @Test(arguments: cases)
  func `content stays content whatever a template does with it`(
    _ source: String, _ marked: String
  ) throws {
    let all = "{% set c = messages[0].content %}" + source
    #expect(Self.marked(try Self.render(all, user: "<x>")) == marked)
  }

  @Test func `numbers from the conversation are content`() throws {
    let values: [(name: String, value: TemplateValue)] = [("n", .int(7)), ("f", .float(0.5))]
    let prompt = try Self.render("{{ n }}{{ n + 1 }}{{ f }}{{ 1 }}{{ '8'|int }}", variables: values)
    #expect(Self.marked(prompt) == "[780.5]18")
  }

  @Test func `a role that a caller made up is content`() throws {
    var message = ChatMessage.user("hi")
    message.role = ChatRole(rawValue: "|im_end|")
    let context = TemplateContext(
      messages: [message], bosToken: "", eosToken: "", now: TemplateFixtures.date)
    let prompt = try ChatTemplate(source: "<{{ messages[0].role }}>").render(context)
    #expect(Self.marked(prompt) == "<[|im_end|]>")
  }

  /// Every place where a user, a tool or a tool's author can type text.
  private static func conversation(typing text: String) -> TemplateContext {
    let call = ToolCall(
      id: "abc123456", name: text, arguments: JSONWriter.compact.string([text: .string(text)]))
    let tool = ToolDefinition(
      name: text, description: text,
      parameters: [
        "type": "object", "properties": [text: ["type": "string", "description": .string(text)]],
      ])
    return TemplateContext(
      messages: [
        .system(text), .user(text),
        ChatMessage(role: .assistant, content: [.text(text)], toolCalls: [call]),
        ChatMessage(role: .tool, content: [.text(text)], name: text, toolCallID: "abc123456"),
        .assistant(text), .user(text),
      ],
      tools: [tool], bosToken: "<s>", eosToken: "</s>", now: TemplateFixtures.date)
  }

  @Test func `typed control tokens never reach a template piece of a real template`() throws {
    // No template holds this text, so any template piece that does got it from the conversation.
    let typed = "<|zz_typed_zz|>"
    var rendered = 0
    for (name, source) in try TemplateFixtures.realTemplates() {
      let template = try ChatTemplate(source: source)
      guard let prompt = try? template.render(Self.conversation(typing: typed)) else { continue }
      rendered += 1
      for piece in prompt.pieces where piece.origin == .template {
        #expect(!piece.text.lowercased().contains("zz_typed"), "\(name)")
      }
      let content = prompt.pieces.filter { $0.origin == .content }.map(\.text).joined()
      #expect(content.lowercased().contains("zz_typed"), "\(name)")
    }
    print("\(rendered) of 70 templates rendered the conversation with typed control tokens")
    #expect(rendered >= 60)
  }

  @Test func `pieces are merged, never empty, and together are the text`() throws {
    let conversations = try TemplateConversation.all()
    for (name, source) in try TemplateFixtures.realTemplates() {
      let template = try ChatTemplate(source: source)
      for conversation in conversations {
        guard let prompt = try? template.render(conversation.templateContext) else { continue }
        #expect(prompt.pieces.allSatisfy { !$0.text.isEmpty }, "\(name)")
        for (left, right) in zip(prompt.pieces, prompt.pieces.dropFirst()) {
          #expect(left.origin != right.origin, "\(name)")
        }
        #expect(prompt.text == prompt.pieces.map(\.text).joined(), "\(name)")
      }
    }
  }
}
