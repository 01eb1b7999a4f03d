import HybridCore
import HybridLocal
import Testing

/// A small template with what jinja2 makes of it: one of `Fixtures/templates/snippets.json`.
struct TemplateSnippet: Sendable, CustomTestStringConvertible {
  var template: String
  /// nil where jinja2 refuses it.
  var output: String?

  var testDescription: String { template }

  static func group(_ name: String) -> [TemplateSnippet] {
    let group = (try? TemplateFixtures.json("snippets.json"))?[name]?.array ?? []
    return group.map { snippet in
      TemplateSnippet(
        template: snippet["template"]?.string ?? "", output: snippet["output"]?.string)
    }
  }

  static let groups = [
    "whitespace", "operators", "strings", "collections", "statements", "filters", "tests",
  ]
}

@Suite struct TemplateSnippetTests {
  static let emptyContext = TemplateContext(
    messages: [], addGenerationPrompt: false, now: TemplateFixtures.date)

  @Test(arguments: TemplateSnippet.groups)
  func `every snippet of a group renders as recorded from jinja2`(_ group: String) {
    let snippets = TemplateSnippet.group(group)
    #expect(!snippets.isEmpty)
    for snippet in snippets {
      do {
        let text = try ChatTemplate(source: snippet.template).render(Self.emptyContext).text
        #expect(text == snippet.output, "\(snippet.template)")
        #expect(
          text.utf8.elementsEqual((snippet.output ?? "").utf8), "\(snippet.template)")
      } catch {
        #expect(snippet.output == nil, "\(snippet.template): \(error)")
      }
    }
  }

  @Test func `the recorded snippets are what jinja2 renders today`() async throws {
    let snippets = TemplateSnippet.groups.flatMap(TemplateSnippet.group)
    let answers = try await TemplateOracle.answers(
      snippets.map { TemplateOracle.Case(template: $0.template, context: [:]) })
    for (snippet, answer) in zip(snippets, answers) {
      switch answer {
      case .output(let text): #expect(text == snippet.output, "\(snippet.template)")
      case .refused: #expect(snippet.output == nil, "\(snippet.template)")
      }
    }
  }
}
