import HybridCore
import Testing

@testable import HybridLocal
@testable import hybrid

@Suite struct ModelListReportTests {
  private static let facts = ModelSummary.Facts(
    use: .chat, architecture: "llama", sizeLabel: "135M", parameterCount: 134_515_008,
    format: "Q4_1", trainedContextLength: 8_192, template: .chatML, license: "apache-2.0",
    contextLength: 8_192, expectedMemory: 336_700_000, fastShare: 0.004,
    tunedCopy: .used(format: "Q8_0", path: "/c/x.gguf"))

  private static func listing(_ facts: [Result<ModelSummary.Facts, HybridError>]) -> ModelListing {
    ModelListing(
      models: facts.enumerated().map { number, facts in
        ModelSummary(
          name: "m\(number)", path: "/m/m\(number).gguf", size: 98_362_432, facts: facts,
          readTime: .milliseconds(12))
      }, places: [])
  }

  @Test func `a model is told in a few lines, and a bad file with what is wrong`() {
    let error = HybridError(.modelFileInvalid, "/m/m1.gguf: llama.block_count is 0")
    let vector = ModelSummary.Facts(
      use: .embedding, architecture: "bert", sizeLabel: nil, parameterCount: 1, format: "F16",
      trainedContextLength: 512, template: .none, license: nil, contextLength: nil,
      expectedMemory: nil, fastShare: nil, tunedCopy: nil)
    #expect(
      ModelListReport.text(Self.listing([.success(Self.facts), .failure(error), .success(vector)]))
        == """
        m0 (default)
            /m/m0.gguf, 98.4 MB
            chat: llama 135M, Q4_1, trained on 8192 tokens
            template ChatML, licence apache-2.0
            takes 336.7 MB with a context of 8192 tokens
            fast kernels on this CPU: for 1 % of its weights; a tuned copy in Q8_0 stands ready
        m1
            /m/m1.gguf, 98.4 MB
            cannot be used: llama.block_count is 0
        m2
            /m/m2.gguf, 98.4 MB
            embedding: bert, F16, trained on 512 tokens
            template none, licence not said

        Read 3 headers in 36 ms, the longest in 12 ms.

        Looked in, in this order:

        """)
  }

  @Test func `a later model of one name is marked, since the name means the first`() {
    func model(_ path: String) -> ModelSummary {
      ModelSummary(
        name: ModelName.stem(ofPath: path), path: path, size: 1, facts: .success(Self.facts),
        readTime: .zero)
    }
    let listing = ModelListing(
      models: [model("/a/x.gguf"), model("/b/X.gguf"), model("/b/y.gguf")], places: [])
    let names = ModelListReport.text(listing).split(separator: "\n").filter { $0.first != " " }
    #expect(
      names.prefix(3) == [
        "x (default)", "X (only by its path: the name means an earlier one)", "y",
      ])
    let json = ModelListReport.json(listing)["models"]?.array ?? []
    #expect(json.map { $0["onlyByPath"]?.bool } == [false, true, false])
  }

  @Test func `the JSON has the same members whether the file is sound or not`() {
    let error = HybridError(.modelFileInvalid, "bad", nextStep: "get another")
    let models =
      ModelListReport.json(Self.listing([.success(Self.facts), .failure(error)]))["models"]?.array
      ?? []
    #expect(models.map { $0.object?.keys } == [models[0].object?.keys, models[0].object?.keys])
    #expect(models[0]["kind"] == "chat" && models[0]["problem"] == .null)
    #expect(models[0]["fastShare"]?.double == 0.004 && models[0]["tunedFormat"] == "Q8_0")
    #expect(models[0]["tunedCopy"]?.bool == true && models[0]["seconds"]?.double == 0.012)
    #expect(models[1]["kind"] == .null && models[1]["problem"]?["code"] == "modelFileInvalid")
    #expect(models[1]["tunedCopy"] == .null && models[1]["fastShare"] == .null)
  }

  @Test(
    arguments: [
      (0, "none"), (1, "all"), (0.5, "50 %"), (0.999, "99 %"), (0.001, "1 %"),
    ] as [(Double, String)])
  func `nearly all is not all, and hardly any is not none`(share: Double, text: String) {
    #expect(ModelListReport.text(share: share) == "for \(text) of its weights")
  }

  @Test func `a name from outside cannot steer the terminal`() {
    let error = HybridError(.modelFileInvalid, "\u{1B}[2J\nm1 (default)")
    let text = ModelListReport.text(Self.listing([.failure(error)]))
    #expect(!text.contains("\u{1B}") && !text.contains("\nm1"))
  }
}

@Suite struct ModelCheckReportTests {
  private static func check(
    _ error: HybridError? = nil, adding: [ModelCheck.Finding] = []
  ) -> ModelCheck {
    ModelCheck(
      path: "/m/a.gguf",
      findings: [
        .init(check: .signature, verdict: .pass, message: "a GGUF file"),
        .init(
          check: .shape, verdict: error == nil ? .warning : .failure, message: "no layers",
          offset: 97, key: "llama.block_count"),
        .init(check: .template, verdict: .notChecked, message: "not reached"),
      ] + adding, facts: nil, error: error, checkTime: .milliseconds(21))
  }

  @Test func `each finding has its line, and the verdict comes last`() {
    #expect(
      ModelCheckReport.text(Self.check()) == """
        /m/a.gguf

          ok       signature  a GGUF file
          warning  shape      no layers (at byte 97)
          –        template   not reached

        Good by its header: a chat model, with a warning. The weights were not read: compare the file with --sha256.
        Checked in 21 ms.

        """)
    let bad = ModelCheckReport.text(
      Self.check(HybridError(.modelFileInvalid, "no layers", nextStep: "get another")))
    #expect(bad.contains("  FAILED   shape      no layers (at byte 97)\n"))
    #expect(bad.contains("\nBad: Get another.\n"))
  }

  @Test func `only a hash that was compared makes a file good as a whole`() {
    let hash = ModelCheck.Finding(check: .hash, verdict: .pass, message: "00")
    let text = ModelCheckReport.text(Self.check(adding: [hash]))
    #expect(
      text.contains("\nGood: a chat model, with a warning, and byte for byte the file with the "))
    #expect(!text.contains("not read"))
    #expect(ModelCheckReport.json(Self.check(adding: [hash]))["compared"]?.bool == true)
    #expect(ModelCheckReport.json(Self.check())["compared"]?.bool == false)
  }

  @Test func `the same stands in the JSON`() {
    let json = ModelCheckReport.json(
      Self.check(HybridError(.modelFileInvalid, "no layers", nextStep: "get another")))
    #expect(json["good"]?.bool == false && json["error"]?["code"] == "modelFileInvalid")
    let findings = json["findings"]?.array ?? []
    #expect(findings.map { $0["verdict"] } == ["pass", "failure", "notChecked"])
    #expect(findings[1]["offset"]?.int == 97 && findings[1]["key"] == "llama.block_count")
    #expect(findings[0]["offset"] == .null)
    #expect(json["kind"] == .null && json["seconds"]?.double == 0.021)
  }
}
