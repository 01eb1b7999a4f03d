import HybridCore

extension ModelReader {
  /// Whether the model's own template is there, can be parsed, renders a plain conversation, and writes
  /// marks that the vocabulary has.
  ///
  /// - Returns: `templateRejected` where no conversation could be rendered.
  func templateChecks(
    _ header: GGUFHeader, _ values: [String: GGUFValue], _ source: ModelBytes,
    _ findings: inout ModelFindings
  ) throws(ModelFileError) -> HybridError? {
    guard let text = header.vocabulary.chatTemplate, TemplateFamily(template: text) != .none else {
      findings.warn(
        .template, "the file has no chat template: it loads, and refuses each conversation",
        key: "tokenizer.chat_template")
      findings.skip(.marks, because: "there is no template")
      return nil
    }
    let vocabulary = VocabularyTexts(source, values)
    let ends = [header.vocabulary.beginningOfText, header.vocabulary.endOfText]
    let texts = try vocabulary?.texts(of: Set(ends.compactMap { $0 })) ?? [:]
    let prompt: RenderedPrompt
    do throws(TemplateError) {
      prompt = try probe(
        ChatTemplate(source: text), ends.map { end in end.flatMap { texts[$0] } ?? "" })
    } catch {
      let rejection = HybridError(error)
      findings.fail(
        .template,
        ModelFileError(.badValue, rejection.message, key: "tokenizer.chat_template"))
      findings.skip(.marks, because: "the template writes none")
      return rejection
    }
    guard !prompt.bytes.isEmpty else {
      findings.fail(
        .template,
        ModelFileError(
          .badValue, HybridError.emptyPrompt.message, key: "tokenizer.chat_template"))
      findings.skip(.marks, because: "the template writes none")
      return .emptyPrompt
    }
    findings.pass(.template, "\(TemplateFamily(template: text)); renders a plain conversation")
    let marks = TemplateMarks.written(by: prompt)
    let missing = try vocabulary?.missing(Set(marks)) ?? []
    if missing.isEmpty {
      findings.pass(
        .marks,
        marks.isEmpty
          ? "the template writes none" : "the vocabulary has all \(marks.count) that are written")
    } else {
      let shown = marks.filter(missing.contains).prefix(5).map { ModelFileError.printable($0) }
      findings.warn(
        .marks,
        "the template writes \(shown.joined(separator: ", ")), which the vocabulary does not have: "
          + "the model reads it as plain text")
    }
    return nil
  }

  /// A conversation that every chat template should take: with an answer in it where it can, else one
  /// question.
  private func probe(
    _ template: ChatTemplate, _ ends: [String]
  ) throws(TemplateError) -> RenderedPrompt {
    func render(_ messages: [ChatMessage]) throws(TemplateError) -> RenderedPrompt {
      try template.render(
        TemplateContext(
          messages: messages, bosToken: ends[0], eosToken: ends[1],
          now: TemplateDate(unixSeconds: Int(time.secondsSince1970()))))
    }
    do throws(TemplateError) {
      return try render([.user("Hello"), .assistant("Hello."), .user("Who are you?")])
    } catch {
      return try render([.user("Hello")])
    }
  }
}

/// Marks that are meant to be special tokens.
enum TemplateMarks {
  /// `<|im_end|>` and its like, and Gemma's, in the template's own part of a prompt, each once.
  static func written(by prompt: RenderedPrompt) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for piece in prompt.pieces where piece.origin == .template {
      for mark in marks(in: piece.text) where seen.insert(mark).inserted { found.append(mark) }
    }
    return found
  }

  private static func marks(in text: String) -> [String] {
    var found: [String] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...]
      let after = rest.dropFirst()
      guard let end = after.firstIndex(where: { $0 == ">" || $0 == "<" || $0.isWhitespace }) else {
        break
      }
      let inner = after[..<end]
      if rest[end] == ">", isMark(inner) { found.append("<\(inner)>") }
      rest = rest[end...].first == "<" ? rest[end...] : rest[end...].dropFirst()
    }
    return found
  }

  private static func isMark(_ inner: Substring) -> Bool {
    if ["start_of_turn", "end_of_turn"].contains(inner) { return true }
    guard inner.count > 2, inner.count <= 64, let first = inner.first else { return false }
    return (first == "|" || first == "｜") && inner.last == first
  }
}
