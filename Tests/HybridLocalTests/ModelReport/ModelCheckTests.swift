import Dispatch
import HybridCore
import HybridLocal
import ModelFileCases
import Synchronization
import Testing

@Suite struct ModelCheckTests {
  private let folder: ModelFolder

  init() throws {
    folder = try ModelFolder()
  }

  private func examined(_ bytes: [UInt8], hash: SHA256Digest? = nil) throws -> ModelCheck {
    try folder.reader.check(try folder.put("a.gguf", bytes), hash: hash)
  }

  private func examined(
    template: String? = "{{ messages[0].content }}",
    _ change: (inout GGUFWriter) -> Void = { _ in }
  ) throws -> ModelCheck {
    try folder.reader.check(try folder.put(template: template, change))
  }

  @Test func `a sound model passes every check, each once and in the file's order`() throws {
    let check = try examined { $0.set("general.license", .string("mit")) }
    #expect(check.isGood)
    let checks: [ModelCheck.Check] = [
      .signature, .version, .counts, .keys, .alignment, .tensors, .length, .model, .shape,
      .vocabulary, .weights, .use, .format, .kernels, .memory, .license, .template, .marks,
    ]
    #expect(check.findings.map(\.check) == checks)
    for finding in check.findings where finding.check != .kernels {
      #expect(finding.verdict == .pass, "\(finding)")
    }
    #expect(check.facts?.use == .chat)
  }

  @Test(arguments: BadFile.all)
  func `a bad file fails some check, with the error that a load throws`(bad: BadFile) throws {
    let bytes = bad.make()
    let path = try folder.put("a.gguf", bytes)
    let check = try folder.reader.check(path)
    let error = #expect(throws: ModelFileError.self) { try GGUFHeader(path: path) }
    #expect(check.error?.details["kind"]?.string == error?.kind.rawValue)
    #expect(check.error?.message == error?.hybridError.message)
    let failures = check.findings.filter { $0.verdict == .failure }
    #expect(failures.contains { $0.message == error?.problem })
  }

  @Test func `a template that writes nothing is found`() throws {
    let check = try examined(template: "{% if false %}x{% endif %}")
    #expect(check.error?.code == .templateRejected)
    #expect(check.findings.contains { $0.check == .template && $0.verdict == .failure })
  }

  @Test func `check and load agree on mutants`() throws {
    for seed in 0..<300 as Range<UInt64> {
      let bytes = GGUFWriter.mutant(seed: seed)
      let check = try examined(bytes)
      do throws(ModelFileError) {
        // What is left to find then is the model's use and its template.
        _ = try GGUFHeader(ModelBytes(bytes), name: check.path)
        #expect(check.facts != nil, "mutant \(seed)")
      } catch {
        #expect(check.error?.details["kind"]?.string == error.kind.rawValue, "mutant \(seed)")
      }
    }
  }

  @Test func `what is wrong further on is found too`() throws {
    let check = try examined {
      $0.set("llama.block_count", .uint32(0))
      $0.set("tokenizer.ggml.scores", .float32s([1]))
      $0.tensors[10].bytes = 64
    }
    let failed = check.findings.filter { $0.verdict == .failure }.map(\.check)
    #expect(failed == [.length, .shape, .vocabulary])
    #expect(check.error?.details["kind"] == "truncated")
    let skipped = check.findings.filter { $0.verdict == .notChecked }.map(\.check)
    #expect(skipped.contains(.template) && !skipped.contains(.shape))
  }

  @Test func `what is worth knowing is a warning, and the file is good`() throws {
    let check = try examined(template: nil) {
      $0.set("general.file_type", .uint32(999))
      $0.set("tokenizer.ggml.padding_token_id", .uint32(5_000))
    }
    #expect(check.isGood)
    let warned = check.warnings.map(\.check)
    #expect(Set(warned).isSuperset(of: [.vocabulary, .format, .license, .template]))
    #expect(check.facts?.template == TemplateFamily.none)
  }

  @Test func `marks that the vocabulary lacks are named`() throws {
    let template = """
      {{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}
      {{ m.content }}<|im_end|>{% endfor %}{{ '<b>' }}{% if false %}<|never|>{% endif %}
      """
    let finding = try #require(
      try examined(template: template).warnings.first { $0.check == .marks })
    #expect(finding.message.contains("<|im_start|>, <|im_end|>"))
    #expect(!finding.message.contains("never") && !finding.message.contains("<b>"))

    let tokens = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
    let sound = try examined(template: template) {
      $0.set("tokenizer.ggml.tokens", .strings(tokens))
      $0.tensors[0].dimensions = [64, UInt64(tokens.count)]
    }
    #expect(sound.findings.first { $0.check == .marks }?.verdict == .pass)
  }

  @Test func `a mark in a message is not the template's`() throws {
    let check = try examined(template: "{{ messages[0].content }}<|end")
    #expect(check.findings.last?.message == "the template writes none")
  }

  @Test(arguments: [
    ("{{ raise_exception('no') }}", "raised"), ("{% for i in x %}", "syntax"),
    ("{% include 'x' %}", "unsupported"), ("{{ 'a' * 1000000000 }}", "budget"),
    ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "budget"),
    (
      "{% for i in range(99999) %}{% for j in range(99999) %}{{ j }}{% endfor %}{% endfor %}",
      "budget"
    ),
    ("{{ nothing.here }}", "runtime"),
  ])
  func `a template that no conversation gets through is a failure`(
    template: String, kind: String
  ) throws {
    let check = try examined(template: template)
    #expect(check.error?.code == .templateRejected)
    #expect(check.error?.details["kind"]?.string == kind)
    #expect(check.findings.first { $0.check == .template }?.verdict == .failure)
  }

  @Test func `a template that wants one question alone is no failure`() throws {
    let check = try examined(
      template: "{% if messages|length > 1 %}{{ raise_exception('one') }}{% endif %}ok")
    #expect(check.isGood)
  }

  @Test func `an embedding model is good, and a vocabulary alone is not`() throws {
    let embedding = try examined { $0.set("llama.pooling_type", .uint32(1)) }
    #expect(embedding.isGood && embedding.facts?.use == .embedding)
    #expect(embedding.findings.last?.verdict == .notChecked)
    let vocabulary = try examined { $0.tensors = [] }
    #expect(vocabulary.error?.code == .modelUnsupported)
    #expect(vocabulary.facts?.use == .vocabulary)
    #expect(vocabulary.findings.first { $0.check == .use }?.verdict == .failure)
  }

  @Test func `the hash tells whether it is the file that was meant`() throws {
    let bytes = GGUFWriter.tinyModel().file()
    let path = try folder.put("a.gguf", bytes)
    let wrong = try #require(SHA256Digest(hex: String(repeating: "0", count: 64)))
    let refused = try folder.reader.check(path, hash: wrong)
    #expect(refused.error?.code == .modelFileInvalid)
    #expect(refused.error?.details["kind"] == "wrongHash")
    let message = try #require(refused.findings.last?.message)
    let found = try #require(SHA256Digest(hex: String(message.split(separator: " ")[4].dropLast())))
    let compared = try folder.reader.check(path, hash: found)
    #expect(compared.isGood && compared.isCompared)
    #expect(try !folder.reader.check(path).isCompared && !refused.isCompared)
  }

  @Test func `bytes that follow the last tensor are told, and its padding is not`() throws {
    let file = GGUFWriter.tinyModel().file()
    let padding = (32 - file.count % 32) % 32
    let padded = try examined(file + [UInt8](repeating: 0, count: padding))
    #expect(padded.findings.first { $0.check == .length }?.verdict == .pass)
    let longer = try examined(file + [UInt8](repeating: 7, count: padding + 5))
    #expect(longer.isGood)
    let finding = try #require(longer.warnings.first { $0.check == .length })
    #expect(finding.message.hasPrefix("5 bytes follow the last tensor"))
    // Told once, as everything.
    #expect(longer.findings.count { $0.check == .length } == 1)
  }

  @Test func `memory is told in the unit of every other command`() throws {
    let message = try examined().findings.first { $0.check == .memory }?.message
    #expect(message?.contains(" MB at a context") == true, "\(message ?? "")")
  }

  @Test func `the memory of an embedding model is foretold as its load does`() throws {
    let path = try folder.put { $0.set("llama.pooling_type", .uint32(1)) }
    let check = try folder.reader.check(path)
    let plan = try EmbedderPlan(
      try GGUFHeader(path: path), memory: Machine.current.memoryBudget())
    #expect(check.facts?.expectedMemory == plan.estimate.totalBytes)
    #expect(check.facts?.contextLength == plan.contextLength)
    #expect(check.findings.first { $0.check == .memory }?.verdict == .pass)
  }

  @Test func `what is no file, and what cannot be read now, are told apart`() throws {
    #expect(try folder.reader.check(folder.path).error?.code == .modelFileInvalid)
    let missing = #expect(throws: HybridError.self) {
      try folder.reader.check(folder.path + "/none.gguf")
    }
    #expect(missing?.code == .modelNotFound)
    let busy = ModelReader(
      machine: .current, environment: [:],
      files: ModelFiles { path throws(ModelFileError) in
        let file = try ModelFiles.real.open(path)
        return OpenModelFile(
          identity: file.identity,
          bytes: ModelBytes(size: file.bytes.size) { _, _ throws(ModelFileError) in
            throw .notNow("read", 5, offset: 0)
          })
      })
    let path = try folder.put()
    let error = #expect(throws: HybridError.self) { try busy.check(path) }
    #expect(error?.code == .modelLoadFailed)
  }

  @Test func `a check that nobody waits for stops within a MiB of the hash`() async throws {
    let path = try folder.put()
    let gate = DispatchSemaphore(value: 0)
    let pieces = Atomic(0)
    let (began, tells) = AsyncStream.makeStream(of: Void.self)
    // A file of 64 MiB, as far as the hash can tell.
    let files = ModelFiles { path throws(ModelFileError) in
      let file = try ModelFiles.real.open(path)
      return OpenModelFile(
        identity: file.identity,
        bytes: ModelBytes(size: 64 << 20) { offset, count throws(ModelFileError) in
          guard count == 1 << 20 else { return try file.bytes.read(offset, count) }
          if pieces.add(1, ordering: .relaxed).newValue == 1 {
            tells.yield()
            gate.wait()
          }
          return [UInt8](repeating: 0, count: count)
        })
    }
    let catalog = ModelCatalog(environment: folder.environment, home: nil, files: files)
    let hash = try #require(SHA256Digest(hex: String(repeating: "0", count: 64)))
    let work = Task { try await catalog.check(path, hash: hash) }
    for await _ in began { break }
    work.cancel()
    let error = await #expect(throws: HybridError.self) { try await work.value }
    #expect(error?.code == .cancelled)
    gate.signal()
    // Behind it in the one queue.
    #expect(try await catalog.check(path).isGood)
    #expect(pieces.load(ordering: .relaxed) == 1)
  }
}
