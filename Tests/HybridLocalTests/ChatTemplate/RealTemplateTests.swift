import HybridCore
import HybridLocal
import Testing

/// Real models' templates over many conversations, against Python's jinja2.
@Suite struct RealTemplateTests {
  @Test func `the default model's template renders byte for byte as jinja2`() throws {
    let template = try TemplateFixtures.defaultTemplate()
    let conversations = try TemplateConversation.all()
    let answers = try TemplateOracle.answers(
      conversations.map { TemplateOracle.Case(template: template, context: $0.context) })
    let ours = try ChatTemplate(source: template)
    for (conversation, answer) in zip(conversations, answers) {
      #expect(
        answer == .output(try ours.render(conversation.templateContext).text),
        "\(conversation.name)")
    }
  }

  @Test func `every real template renders byte for byte as jinja2, or both refuse`() throws {
    let templates = try TemplateFixtures.realTemplates()
    let conversations = try TemplateConversation.all()
    #expect(templates.count == 70)
    var cases: [TemplateOracle.Case] = []
    for template in templates {
      for conversation in conversations {
        cases.append(
          TemplateOracle.Case(template: template.source, context: conversation.context))
      }
    }
    var answers = try TemplateOracle.answers(cases).makeIterator()

    var equal = 0
    var bothRefuse = 0
    var unsupported = 0
    var mostSteps = 0
    for template in templates {
      for conversation in conversations {
        let name = "\(template.name) × \(conversation.name)"
        let oracle = answers.next()
        do {
          let result = try ChatTemplate(source: template.source)
            .measuredRender(conversation.templateContext)
          mostSteps = max(mostSteps, result.steps)
          let isEqual = oracle == .output(result.prompt.text)
          #expect(isEqual, "\(name) differs")
          if isEqual { equal += 1 }
        } catch {
          if case .refused = oracle {
            bothRefuse += 1
          } else if case .unsupported = error.kind {
            unsupported += 1
            print("not supported: \(name): \(error)")
          } else {
            Issue.record("\(name): \(error)")
          }
        }
      }
    }
    print(
      """
      \(templates.count) templates × \(conversations.count) conversations: \
      \(equal) equal, \(bothRefuse) refused by both, \(unsupported) not supported; \
      at most \(mostSteps) steps
      """)
    #expect(unsupported == 0)
  }
}
