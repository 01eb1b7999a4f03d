import HybridCore
import ModelFileCases
import Testing

@testable import HybridLocal

@Suite struct TensorFitTests {
  private let folder: ModelFolder

  init() throws {
    folder = try ModelFolder()
  }

  /// The kinds of errors that are looked at here.
  private static let kinds: [ModelFileError.Kind] = [.missingTensor, .wrongShape, .strayTensor]

  @Test(arguments: WholeModel.all)
  func `a whole model of each known architecture fits`(model: WholeModel) throws {
    let header = try GGUFHeader(ModelBytes(model.writer.file()))
    #expect(LayoutKind.known[header.architecture] != nil)
    let check = try folder.reader.check(try folder.put("a.gguf", model.writer.file()))
    #expect(check.findings.first { $0.check == .weights }?.verdict == .pass)
  }

  @Test func `every architecture that is known here has a whole model`() throws {
    let tried = WholeModel.all.map(\.architecture)
    #expect(Set(tried) == Set(LayoutKind.known.keys))
  }

  @Test(arguments: [
    ("llama.block_count is 2, and there are tensors of 1 layers", "more layers than there are"),
    (
      "the tensor blk.0.ffn_gate.weight is 64 × 96, and should be 64 × 128 by "
        + "llama.feed_forward_length", "a feed-forward of another width"
    ),
    (
      "the tensor token_embd.weight is 64 × 264, and should be 64 × 4 by the vocabulary",
      "fewer tokens than rows"
    ),
    (
      "llama.block_count is 1, and there is a tensor blk.1.attn_norm.weight",
      "fewer layers than there are"
    ),
  ])
  func `the message names the number and what contradicts it`(says: String, name: String) throws {
    let bad = try #require(BadFile.all.first { $0.name == name })
    let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bad.make())) }
    #expect(error?.problem == says)
    #expect(error?.hybridError.code == .modelFileInvalid)
  }

  @Test func `another architecture is warned of and never refused`() throws {
    var writer = GGUFWriter.tinyModel()
    writer.become("unheard-of")
    func warnings() throws -> [String] {
      let check = try folder.reader.check(try folder.put("a.gguf", writer.file()))
      #expect(check.isGood)
      return check.warnings.filter { $0.check == .weights }.map(\.message)
    }
    #expect(try warnings().isEmpty)
    writer.set("unheard-of.block_count", .uint32(3))
    writer.tensors[0].dimensions = [64, 265]
    #expect(
      try warnings() == [
        "unheard-of.block_count is 3, and there are tensors of 1 layers",
        "the tensor token_embd.weight is 64 × 265, and should be 64 × 264 by the width and the "
          + "vocabulary",
      ])
  }

  #if LocalLlama
    /// Real files, and llama.cpp itself over every change that a layout could notice.
    @Test func `no file that came with the tests is refused for its tensors`() throws {
      var files = [try TestAssets.model()]
      files += try TestAssets.folder("testing/vocab").filter { $0.hasSuffix(".gguf") }
      for file in files { _ = try GGUFHeader(path: file) }
      #expect(files.count > 15)
      let check = try folder.reader.check(files[0])
      #expect(check.findings.first { $0.check == .weights }?.verdict == .pass)
    }

    @Test(arguments: WholeModel.all)
    func `what is refused here llama.cpp refuses, and the rest it loads`(model: WholeModel) throws {
      var outcomes = (refused: 0, loaded: 0)
      for change in WholeModel.changes(of: model.writer) {
        var writer = model.writer
        change.make(&writer)
        let path = try folder.put("a.gguf", writer.file())
        var refusal: ModelFileError?
        do throws(ModelFileError) {
          _ = try GGUFHeader(path: path)
        } catch {
          // llama.cpp is not shown what could end the process.
          guard Self.kinds.contains(error.kind) else { continue }
          refusal = error
        }
        var isLoaded = true
        do throws(HybridError) {
          _ = try LlamaModel(path: path, part: .everything)
        } catch {
          // It does load what does not chat.
          isLoaded = error.code == .modelUnsupported
        }
        // Loaded, and the end of the process at the first token: a matrix is not there.
        let isTrap = model.architecture == "phi3" && change.name.hasPrefix("no blk.0.attn_")
        if isTrap, refusal?.kind == .missingTensor { continue }
        #expect(
          isLoaded == (refusal == nil),
          "\(model.name), \(change.name): \(refusal?.problem ?? "sound")")
        if isLoaded { outcomes.loaded += 1 } else { outcomes.refused += 1 }
      }
      #expect(outcomes.refused > 30 && outcomes.loaded > 10, "\(model.name): \(outcomes)")
    }
  #endif
}
