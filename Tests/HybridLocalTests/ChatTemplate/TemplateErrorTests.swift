import HybridCore
import HybridLocal
import Testing

/// What a caller is told of a template that fails.
@Suite struct TemplateErrorTests {
  private static let secret = "my secret text"

  private static func error(_ source: String) -> TemplateError? {
    let context = TemplateContext(
      messages: [.user(secret)], bosToken: "", eosToken: "", now: TemplateFixtures.date)
    do throws(TemplateError) {
      _ = try ChatTemplate(source: source).render(context)
      return nil
    } catch {
      return error
    }
  }

  static let kinds: [(source: String, kind: TemplateError.Kind, line: Int)] = [
    ("\n\n{% include 'x' %}", .unsupported(construct: "the tag 'include'"), 3),
    ("a\n{{ 1 | urlize }}", .unsupported(construct: "the filter 'urlize'"), 2),
    ("{{ 1 is nosuch }}", .unsupported(construct: "the test 'nosuch'"), 1),
    ("{{ 'a'.encode('x') }}", .unsupported(construct: "the method 'encode' of str"), 1),
    ("{{ cycler(1) }}", .unsupported(construct: "the function 'cycler'"), 1),
    ("\n{{ 1 + }}", .syntax("an expression expected"), 2),
    ("{% if true %}\n", .syntax("the template ends inside a block: 'endif' expected"), 1),
    ("{% nonsense %}", .syntax("unknown tag 'nonsense'"), 1),
    ("\n{{ raise_exception('No system role') }}", .raised(message: "No system role"), 2),
    ("{{ raise_exception('Bad ' ~ messages[0].content) }}", .raised(message: nil), 1),
    ("{{ raise_exception(messages[0].content) }}", .raised(message: nil), 1),
    ("\n\n{{ nothing.here }}", .runtime("'nothing' is undefined"), 3),
    ("{{ messages[0].a.b }}", .runtime("'a' of a value of type dict is undefined"), 1),
    ("{{ 1 + 'a' }}", .runtime("'+' does not work between int and str"), 1),
    (
      "{{ [].append(1) }}",
      .runtime("'append' of a value of type list may not be used in a template"), 1
    ),
    ("{{ 'a' * 99999999 }}", .budget(.size), 1),
  ]

  @Test(arguments: kinds)
  func `a failure names its cause and its line`(
    _ source: String, _ kind: TemplateError.Kind, _ line: Int
  ) {
    #expect(Self.error(source) == TemplateError(kind, line: line))
  }

  /// Failures whose operands are the user's text.
  static let leaks = [
    "{{ raise_exception(c) }}", "{{ raise_exception('x' ~ c) }}", "{{ {}[c].x }}", "{{ c + 1 }}",
    "{{ {'a': 1}[c]() }}", "{{ [1]|map(c)|list }}", "{{ [1]|select(c)|list }}",
    "{{ c|int(base=c) }}",
    "{{ c.index('q') }}", "{{ c|attr(c)|length + c }}", "{{ strftime_now('%Q' ~ c) }}",
    "{{ [c]|join(1)|abs }}", "{{ '{}{}'.format(c) }}", "{{ ('%q' ~ c) % 1 }}", "{{ dict(c) }}",
    "{{ namespace(**{c: 1})[c].x.y }}", "{% macro m() %}{% endmacro %}{{ m(**{c: 1}) }}",
    "{{ c|trim(**{c: 1}) }}", "{{ c[c:] }}", "{{ c() }}", "{% set a, b = c %}",
    "{{ c.__class__.x }}", "{{ {}|attr(c) ~ {}[c ~ '__'].x }}", "{{ {}[('__' ~ c ~ '__')].x }}",
  ]

  @Test(arguments: leaks)
  func `no failure quotes the conversation`(_ source: String) throws {
    let error = try #require(Self.error("{% set c = messages[0].content %}" + source))
    let shown = [
      "\(error)", error.sentence, HybridError(error).description,
      JSONWriter.compact.string(.object(HybridError(error).details)),
    ]
    for text in shown { #expect(!text.contains("secret"), "\(text)") }
  }

  @Test func `a caller sees templateRejected with the line`() throws {
    let error = HybridError(try #require(Self.error("\n{{ raise_exception('No system role') }}")))
    #expect(error.code == .templateRejected)
    #expect(error.side == .local)
    #expect(error.details["line"]?.int == 2)
    #expect(
      error.description
        == "templateRejected: the model's chat template failed at line 2: it refuses this"
        + " conversation: No system role. Change the conversation as the template asks, or use"
        + " another model.")
  }

  /// Python counts without end; what leaves 64 bits is refused, and ends nothing but the render.
  @Test(arguments: [
    "{{ (-9223372036854775807 - 1) ** 2 }}", "{{ 9223372036854775807 ** 9223372036854775807 }}",
    "{{ range(0, -9223372036854775807 - 1, -1) }}", "{{ (-9223372036854775807 - 1) // -1 }}",
    "{{ -(-9223372036854775807 - 1) }}", "{{ 9223372036854775807 + 1 }}",
    "{{ range(-9223372036854775807, 9223372036854775807, 2) }}",
    "{{ 'a' * 9223372036854775807 }}", "{{ [1] * 9223372036854775807 }}",
  ])
  func `numbers at the end of 64 bits are refused`(source: String) throws {
    let template = try ChatTemplate(source: source)
    #expect(throws: TemplateError.self) {
      try template.render(TemplateSnippetTests.emptyContext)
    }
  }

  @Test func `numbers at the end of 64 bits are told as they are`() throws {
    let source =
      "{{ range(9223372036854775806, 9223372036854775807, 5) }}{{ range(0, 10, 3) }}"
      + "{{ (-9223372036854775807 - 1) % -1 }}{{ 1 ** -9223372036854775807 }}"
    let text = try ChatTemplate(source: source).render(TemplateSnippetTests.emptyContext).text
    #expect(text == "range(9223372036854775806, 9223372036854775807, 5)range(0, 10, 3)01.0")
  }
}
