import HybridCore
import HybridLocal
import ModelFileCases
import Testing

@Suite struct BadFileTests {
  @Test(arguments: BadFile.all)
  func `each bad file gets its own error`(bad: BadFile) {
    let bytes = bad.make()
    let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bytes)) }
    #expect(error?.kind == bad.kind, "\(error?.description ?? "")")
    #expect(error?.hybridError.nextStep?.isEmpty == false)
  }

  @Test(arguments: Flaw.allCases)
  func `each flaw has a bad file`(flaw: Flaw) {
    #expect(BadFile.all.contains { $0.flaw == flaw })
  }

  @Test func `what a file looks like is said`() throws {
    for (name, likeness) in [
      ("a Git LFS pointer", "Git LFS pointer"), ("a web page", "web page"),
      ("a zip archive", "zip archive"), ("a safetensors file", "safetensors"),
      ("zeros", "interrupted download"),
    ] {
      let bytes = try #require(BadFile.all.first { $0.name == name }).make()
      let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bytes)) }
      #expect(error?.problem.contains(likeness) == true, "\(error?.problem ?? "")")
    }
  }

  @Test(
    arguments: [
      ("version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
      ("<!DOCTYPE html>", "signed in"), ("\u{FEFF} <html>", "signed in"),
      ("<?xml version='1.0'?><Error>", "signed in"), ("{\"error\": \"no\"}", "refusal"),
      ("PK\u{3}\u{4}" + String(repeating: "\u{7}", count: 20), "`unzip`"),
      ("BZh9\u{1}", "`bunzip2`"), ("Invalid username or password.\n", "Look into it"),
      ("tjgg\u{1}", "as a .gguf file"), (String(repeating: "\0", count: 99), "again"),
      ("\u{1}\u{2}\u{3}\u{4}\u{5}", "Use a GGUF file"),
    ])
  func `what helps follows from what the file looks like`(text: String, step: String) {
    let error = #expect(throws: ModelFileError.self) {
      try GGUFHeader(ModelBytes(Array(text.utf8)))
    }
    #expect(error?.kind == .notGGUF)
    #expect(error?.nextStep.contains(step) == true, "\(error?.description ?? "")")
    #expect(error?.hybridError.nextStep == error?.nextStep)
  }

  @Test func `a gzip archive is to be unpacked, and other versions are to be had anew`() {
    func step(_ bytes: [UInt8]) -> String? {
      #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bytes)) }?.nextStep
    }
    #expect(step([0x1F, 0x8B, 8, 0])?.contains("`gunzip`") == true)
    var old = GGUFWriter.tinyModel()
    old.version = 1
    #expect(step(old.file())?.contains("version 2 or 3") == true)
    old.version = 3 << 24
    #expect(step(old.file())?.contains("little-endian") == true)
  }

  @Test func `a key from the file is shown cut and printable`() {
    var writer = GGUFWriter.tinyModel()
    let key = "\u{1B}[31m" + String(repeating: "k", count: 100) + "é"
    writer.keys += [(key, .bool(true)), (key, .bool(true))]
    let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(writer.file())) }
    #expect(error?.key == "?[31m" + String(repeating: "k", count: 75) + "…")
    #expect(error?.description.contains("\u{1B}") == false)
  }

  @Test func `every place where a file can be cut is found`() throws {
    let whole = GGUFWriter.tinyModel().file()
    let header = GGUFWriter.tinyModel().header().count
    for count in Array(stride(from: 1, to: header + 64, by: 7)) + [whole.count - 1] {
      let error = #expect(throws: ModelFileError.self, "cut after \(count) bytes") {
        try GGUFHeader(ModelBytes(Array(whole.prefix(count))))
      }
      #expect(error?.kind == .truncated || count < 4, "cut after \(count) bytes: \(error!)")
    }
  }
}
