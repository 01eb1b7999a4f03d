import HybridLocal
import HybridTesting
import Testing

/// Broken templates: whatever they hold, they end in an output or a typed error.
@Suite struct TemplateFuzzTests {
  /// Pieces that change what a template means.
  private static let words = [
    "{{", "}}", "{%", "%}", "{#", "#}", "-", "+", "~", "|", "(", ")", "[", "]", "{", "}", "'",
    "\"", "\\", ".", ",", ":", "=", "==", "!=", "<", "**", "//", "%", " not ", " in ", " is ",
    " if ", " else ", " and ", " or ", "{% endif %}", "{% endfor %}", "{% else %}",
    "{% break %}", "{% for x in messages %}", "{% macro m(a, b=1) %}", "{% endmacro %}",
    "{{ m(1) }}",
    "{% set x = ", "{% raw %}", "{% endraw %}", "loop.last", "namespace(", "range(9)", "messages",
    "[0]", "[-1]", "[::-1]", "|tojson", "|length", "|join(', ')", "|first", "|items", "|list",
    "|map('upper')", "|selectattr('role')", "|dictsort", "|int", "|round(2)", "|batch(2)",
    ".split()",
    ".strip('x')", ".items()", ".get('x')", ".format(1)", "none", "true", "1.5", "99999999999",
    "9223372036854775807", "'\\ud800'", "'\\x'", "\u{0}", "\u{FEFF}", "😀", "é", "\n", "\r\n",
  ]

  private static func mutant(of source: [UInt8], _ generator: inout SeededGenerator) -> String {
    var bytes = source
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...40, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.removeSubrange(place..<end)
      case 1:
        bytes.insert(
          contentsOf: bytes[place..<end], at: Int.random(in: 0...place, using: &generator))
      case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      default:
        bytes.insert(
          contentsOf: Array((words.randomElement(using: &generator) ?? "").utf8), at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `mutants of real templates end in an output or a typed error`() async throws {
    var generator = SeededGenerator(seed: 20_240_726)
    let contexts = try TemplateConversation.all().map(\.templateContext)
    let templates = try TemplateFixtures.realTemplates().map { Array($0.source.utf8) }
      .filter { $0.count < 6_000 }
    var outputs = 0
    var refusals = 0
    for round in 0..<300 {
      if round % 10 == 0 { await Task.yield() }
      let source = Self.mutant(of: templates[round % templates.count], &generator)
      do throws(TemplateError) {
        let template = try ChatTemplate(source: source)
        let context = contexts[round % contexts.count]
        let prompt = try template.render(context)
        #expect(prompt.text.utf8.count == prompt.pieces.reduce(0) { $0 + $1.text.utf8.count })
        outputs += 1
      } catch {
        #expect(error.line >= 1)
        refusals += 1
      }
    }
    print("\(outputs) mutants rendered, \(refusals) refused")
    #expect(outputs > 30 && refusals > 30)
  }

  @Test func `random words end in an output or a typed error`() async throws {
    var generator = SeededGenerator(seed: 7)
    let context = try #require(try TemplateConversation.all().first).templateContext
    for round in 0..<2_000 {
      if round % 50 == 0 { await Task.yield() }
      var source =
        ["{{ ", "{% set x = ", "", "{% for x in "].randomElement(using: &generator) ?? ""
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        source += Self.words.randomElement(using: &generator) ?? ""
      }
      source += [" }}", " %}", "", "{% endfor %}"].randomElement(using: &generator) ?? ""
      do throws(TemplateError) {
        _ = try ChatTemplate(source: source).render(context)
      } catch {
        #expect(error.line >= 1)
      }
    }
  }
}
