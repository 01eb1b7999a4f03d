import HybridCore
import HybridLocal
import Testing

/// Real models' templates over many conversations, against Python's jinja2.
@Suite struct RealTemplateTests {
  @Test func `the default model's template renders byte for byte as jinja2`() async throws {
    let template = try TemplateFixtures.defaultTemplate()
    let conversations = try TemplateConversation.all()
    let answers = try await TemplateOracle.answers(
      conversations.map { TemplateOracle.Case(template: template, context: $0.context) })
    let ours = try ChatTemplate(source: template)
    for (conversation, answer) in zip(conversations, answers) {
      let text = try ours.render(conversation.templateContext).text
      #expect(answer.isOutput(text), "\(conversation.name)")
    }
  }

  @Test func `every real template renders byte for byte as jinja2, or both refuse`() async throws {
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
    var answers = try await TemplateOracle.answers(cases).makeIterator()

    var equal = 0
    var bothRefuse = 0
    var unsupported = 0
    var mostSteps = 0
    let contexts = conversations.map(\.templateContext)
    for template in templates {
      await Task.yield()
      let parsed = Result { () throws(TemplateError) in try ChatTemplate(source: template.source) }
      for (conversation, context) in zip(conversations, contexts) {
        let name = "\(template.name) × \(conversation.name)"
        let oracle = answers.next()
        do {
          let result = try parsed.get().measuredRender(context)
          mostSteps = max(mostSteps, result.steps)
          let isEqual = oracle?.isOutput(result.prompt.text) ?? false
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
    // All that the oracle renders. The other 29 raise or fail there as well.
    #expect(unsupported == 0 && equal == 391)
  }
}
