#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// A conversation of 100 messages by each model's own template.
  struct Rendering {
    static let messages = 100
    static let renders = 5
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() throws {
      let jinja = try Jinja()
      var results: [(name: String, ratio: Double, own: Double)] = []
      var refused: [String] = []
      for (name, source) in try templates() {
        if let only = options.only, !name.contains(only) { continue }
        guard let expected = try jinja.take(template: source, context: Self.context) else {
          refused.append(name)
          continue
        }
        let template = try ChatTemplate(source: source)
        guard try template.render(Self.ownContext).text.utf8.elementsEqual(expected.utf8) else {
          throw UsageError("\(name) renders to something else")
        }
        var own: [Double] = []
        var ratios: [Double] = []
        for round in 0..<options.rounds {
          let seconds: (own: Double, peer: Double)
          if round % 2 == 0 {
            seconds.own = try Self.seconds(of: template)
            seconds.peer = try jinja.seconds(renders: Self.renders)
          } else {
            seconds.peer = try jinja.seconds(renders: Self.renders)
            seconds.own = try Self.seconds(of: template)
          }
          own.append(seconds.own / Double(Self.renders))
          ratios.append(seconds.own / seconds.peer)
        }
        results.append((name, Quantiles(ratios).median, Quantiles(own).median))
      }
      results.sort { $0.ratio < $1.ratio }
      for result in results {
        print("\(number(result.ratio, 2))  \(number(result.own * 1e3, 2)) ms  \(result.name)")
      }
      print(
        "render: \(results.count) templates over \(Self.messages) messages, \(refused.count) refused by jinja2"
      )
      print(
        "render: CPU time as a ratio to jinja2's   \(Quantiles(results.map(\.ratio)).quartiles(digits: 2)), most \(number(results.last?.ratio ?? 0, 2))   (aim: 0.5 or less)"
      )
    }

    /// The default model's own, then those of 70 others.
    private func templates() throws -> [(name: String, source: String)] {
      let own = try GGUFHeader(path: options.model).vocabulary.chatTemplate
      return [("the default model", own ?? "")]
        + (try InstalledFiles.templates().map { path in
          (
            URL(filePath: path).deletingPathExtension().lastPathComponent,
            try String(contentsOfFile: path, encoding: .utf8)
          )
        })
    }

    /// With all that a request needs: from the messages to the prompt's pieces.
    private static func seconds(of template: ChatTemplate) throws -> Double {
      let start = threadCPUTime()
      for _ in 0..<renders { _ = try template.render(ownContext) }
      return threadCPUTime() - start
    }

    private static let conversation: [ChatMessage] = {
      var text = LongText(seed: 1)
      return [.system(text.next(bytes: 200))]
        + (1..<messages).map { number in
          number % 2 == 1
            ? .user(text.next(bytes: 200)) : .assistant(text.next(bytes: 600))
        }
    }()

    private static var ownContext: TemplateContext {
      TemplateContext(
        messages: conversation, bosToken: "<s>", eosToken: "</s>",
        now: TemplateDate(year: 2024, month: 7, day: 26, hour: 9, minute: 5, second: 7))
    }

    private static let context: JSONObject = [
      "messages": .array(
        conversation.map {
          ["role": .string($0.role.rawValue), "content": .string($0.text)]
        }),
      "tools": .null, "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>",
    ]
  }
#endif
