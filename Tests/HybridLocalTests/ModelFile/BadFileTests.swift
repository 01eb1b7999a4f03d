import Foundation
import HybridCore
import HybridLocal
import HybridTesting
import Testing

@Suite struct BadFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let kind: ModelFileError.Kind
    let make: @Sendable () -> [UInt8]
    var testDescription: String { name }

    /// Raw bytes.
    init(_ name: String, _ kind: ModelFileError.Kind, bytes: @escaping @Sendable () -> [UInt8]) {
      (self.name, self.kind, make) = (name, kind, bytes)
    }

    /// The small sound model with something wrong.
    init(
      _ name: String, _ kind: ModelFileError.Kind,
      _ spoil: @escaping @Sendable (inout GGUFWriter) -> Void
    ) {
      self.init(
        name, kind,
        bytes: {
          var writer = GGUFWriter.tinyModel()
          spoil(&writer)
          return writer.file()
        })
    }
  }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let notModels = [
    Case("nothing", .empty) { [] },
    Case("the first two letters", .truncated) { bytes("GG") },
    Case("the magic number alone", .truncated) { bytes("GGUF") },
    Case("a header cut in the counts", .truncated) {
      Array(GGUFWriter.tinyModel().file().prefix(20))
    },
    Case("text", .notGGUF) { bytes("Once upon a time") },
    Case("a Git LFS pointer", .notGGUF) {
      bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    },
    Case("a web page", .notGGUF) { bytes("\n<!DOCTYPE html><html>") },
    Case("a zip archive", .notGGUF) { [0x50, 0x4B, 0x03, 0x04] + Array(repeating: 7, count: 60) },
    Case("a safetensors file", .notGGUF) {
      GGUFWriter.little(UInt64(20_000)) + bytes("{\"model.embed\":{")
    },
    Case("zeros", .notGGUF) { Array(repeating: 0, count: 4_096) },
  ]

  static let header = [
    Case("false magic", .notGGUF) { $0.magic = bytes("GGUG") },
    Case("version 0", .unsupportedVersion) { $0.version = 0 },
    Case("version 1", .unsupportedVersion) { $0.version = 1 },
    Case("version 4", .unsupportedVersion) { $0.version = 4 },
    Case("big-endian order", .bigEndian) { $0.version = UInt32(3).byteSwapped },
    Case("more keys than the file can hold", .truncated) { $0.keyCount = 60_000 },
    Case("keys without end", .tooLarge) { $0.keyCount = .max },
    Case("one key too many", .tooLarge) { $0.keyCount = UInt64($0.keys.count) + 1 },
    Case("more tensors than the file can hold", .truncated) { $0.tensorCount = 200_000 },
    Case("tensors without end", .tooLarge) { $0.tensorCount = 1 << 63 },
  ]

  static let keys = [
    Case("a key without a name", .badKey) { $0.keys.append(("", .bool(true))) },
    Case("a key as long as the file", .tooLarge) {
      $0.keys.append((String(repeating: "k", count: 70_000), .bool(true)))
    },
    Case("a key twice", .duplicateKey) { $0.keys.append(("general.name", .string("again"))) },
    Case("an unknown type", .wrongType) { $0.set("x", .raw(type: 13, bytes: [0, 0, 0, 0])) },
    Case("an array of unknown type", .wrongType) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(99)) + GGUFWriter.little(UInt64(1))))
    },
    Case("an array of arrays", .wrongType) {
      $0.set("x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(9)) + GGUFWriter.little(UInt64(1))))
    },
    Case("an array longer than the file", .truncated) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(4)) + GGUFWriter.little(UInt64(1 << 29)))
      )
    },
    Case("an array without end", .tooLarge) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(4)) + GGUFWriter.little(UInt64.max)))
    },
    Case("texts without end", .tooLarge) {
      $0.set(
        "x", .raw(type: 9, bytes: GGUFWriter.little(UInt32(8)) + GGUFWriter.little(UInt64.max / 8)))
    },
    Case("a text longer than the file", .truncated) {
      $0.set("tokenizer.chat_template", .raw(type: 8, bytes: GGUFWriter.little(UInt64(4_000_000))))
    },
    Case("a text without end", .tooLarge) {
      $0.set("general.name", .raw(type: 8, bytes: GGUFWriter.little(UInt64.max)))
    },
    Case("alignment 0", .badValue) { $0.set("general.alignment", .uint32(0)) },
    Case("alignment 48", .badValue) { $0.set("general.alignment", .uint32(48)) },
    Case("alignment 8", .badValue) { $0.set("general.alignment", .uint32(8)) },
    Case("alignment 2 MiB", .badValue) { $0.set("general.alignment", .uint32(2 << 20)) },
    Case("alignment as text", .wrongType) { $0.set("general.alignment", .string("32")) },
    Case("alignment as 64 bits", .wrongType) { $0.set("general.alignment", .uint64(32)) },
  ]

  static let tensors = [
    Case("a tensor without a name", .badTensor) { $0.tensors[1].name = "" },
    Case("a tensor name of 64 bytes", .tooLarge) {
      $0.tensors[1].name = String(repeating: "t", count: 64)
    },
    Case("a tensor twice", .duplicateTensor) { $0.tensors[2].name = $0.tensors[1].name },
    Case("no dimensions", .badTensor) { $0.tensors[1].dimensions = [] },
    Case("five dimensions", .badTensor) { $0.tensors[1].dimensions = [64, 1, 1, 1, 1] },
    Case("a dimension of 0", .badTensor) { $0.tensors[1].dimensions = [64, 0] },
    Case("a negative dimension", .badTensor) { $0.tensors[1].dimensions = [UInt64.max - 63] },
    Case("a product that overflows", .badTensor) {
      $0.tensors[1].dimensions = [1 << 32, 1 << 32]
    },
    Case("bytes that overflow", .badTensor) {
      $0.tensors[1].dimensions = [1 << 31, 1 << 31]
    },
    Case("a norm of 16-bit numbers", .badTensor) { $0.tensors[1].type = 1 },
    Case("a norm of quantised numbers", .badTensor) { $0.tensors[1].type = 8 },
    Case("a matrix of whole numbers", .badTensor) { $0.tensors[3].type = 26 },
    Case("a row of half a block", .badTensor) {
      $0.tensors[1].type = 8
      $0.tensors[1].dimensions = [48]
    },
    Case("a removed tensor type", .unknownTensorType) { $0.tensors[1].type = 4 },
    Case("an unknown tensor type", .unknownTensorType) { $0.tensors[1].type = 43 },
    Case("a tensor type without end", .unknownTensorType) { $0.tensors[1].type = .max },
    Case("an unaligned place", .misplacedTensor) { $0.tensors[1].offset = 7 },
    Case("a place on top of another", .misplacedTensor) { $0.tensors[2].offset = 0 },
    Case("a place beyond the file", .misplacedTensor) { $0.tensors[1].offset = 1 << 40 },
    Case("a place at the end of numbers", .misplacedTensor) { $0.tensors[1].offset = .max - 31 },
    Case("too little data", .truncated) { $0.tensors[10].bytes = 64 },
    Case("a larger tensor than the file", .truncated) {
      $0.tensors[10].dimensions = [96, 1 << 40]
    },
  ]

  static let models = [
    Case("no architecture", .missingKey) { $0.remove("general.architecture") },
    Case("an architecture that is no text", .wrongType) {
      $0.set("general.architecture", .uint32(1))
    },
    Case("an empty architecture", .badValue) { $0.set("general.architecture", .string("")) },
    Case("no blocks", .badValue) { $0.set("llama.block_count", .uint32(0)) },
    Case("513 blocks", .badValue) { $0.set("llama.block_count", .uint32(513)) },
    Case("blocks not said", .missingKey) { $0.remove("llama.block_count") },
    Case("blocks as 64 bits", .wrongType) { $0.set("llama.block_count", .uint64(1)) },
    Case("a context of 0", .badValue) { $0.set("llama.context_length", .uint32(0)) },
    Case("a width of 0", .badValue) { $0.set("llama.embedding_length", .uint32(0)) },
    Case("a width not said", .missingKey) { $0.remove("llama.embedding_length") },
    Case("no heads", .badValue) { $0.set("llama.attention.head_count", .uint32(0)) },
    Case("heads not said", .missingKey) { $0.remove("llama.attention.head_count") },
    Case("more heads than width", .badValue) {
      $0.set("llama.attention.head_count", .uint32(1_000))
      $0.set("llama.attention.head_count_kv", .uint32(1_000))
    },
    Case("heads that do not divide", .badValue) {
      $0.set("llama.attention.head_count_kv", .uint32(3))
    },
    Case("heads for two layers of one", .badValue) {
      $0.set("llama.attention.head_count", .uint32s([2, 2]))
    },
    Case("keys and values of different length", .badValue) {
      $0.set("llama.attention.key_length", .uint32(32))
      $0.set("llama.attention.value_length", .uint32(64))
    },
    Case("rotation of an odd length", .badValue) {
      $0.set("llama.rope.dimension_count", .uint32(31))
    },
    Case("rotation beyond the head", .badValue) {
      $0.set("llama.rope.dimension_count", .uint32(64))
    },
    Case("an unknown rotation scaling", .badValue) {
      $0.set("llama.rope.scaling.type", .string("spiral"))
    },
    Case("a negative epsilon", .badValue) {
      $0.set("llama.attention.layer_norm_rms_epsilon", .float32(-1))
    },
    Case("an epsilon that is no number", .badValue) {
      $0.set("llama.attention.layer_norm_rms_epsilon", .float32(.nan))
    },
    Case("experts without use", .badValue) { $0.set("llama.expert_count", .uint32(8)) },
    Case("more experts used than there are", .badValue) {
      $0.set("llama.expert_count", .uint32(2))
      $0.set("llama.expert_used_count", .uint32(4))
    },
    Case("expert groups that do not divide", .badValue) {
      $0.set("llama.expert_count", .uint32(8))
      $0.set("llama.expert_used_count", .uint32(2))
      $0.set("llama.expert_group_count", .uint32(3))
    },
    Case("more predicted layers than layers", .badValue) {
      $0.set("llama.nextn_predict_layers", .uint32(2))
    },
  ]

  static let vocabularies = [
    Case("no tokenizer", .missingKey) { $0.remove("tokenizer.ggml.model") },
    Case("no tokens", .missingKey) { $0.remove("tokenizer.ggml.tokens") },
    Case("an empty vocabulary", .badVocabulary) { $0.set("tokenizer.ggml.tokens", .strings([])) },
    Case("tokens that are numbers", .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .int32s([1, 2]))
    },
    Case("tokens that are a text", .wrongType) {
      $0.set("tokenizer.ggml.tokens", .string("a b"))
    },
    Case("a token twice", .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "<s>", "</s>", "a", "a"]))
    },
    Case("the text of an empty token taken", .badVocabulary) {
      $0.set("tokenizer.ggml.tokens", .strings(["<unk>", "", "[EMPTY_1]"]))
    },
    Case("too few scores", .badVocabulary) {
      $0.set("tokenizer.ggml.scores", .float32s([1, 2, 3]))
    },
    Case("scores that are texts", .wrongType) {
      $0.set("tokenizer.ggml.scores", .strings(["1"]))
    },
    Case("too few token types", .badVocabulary) {
      $0.set("tokenizer.ggml.token_type", .int32s([1]))
    },
    Case("token types as floating point", .wrongType) {
      $0.set("tokenizer.ggml.token_type", .float32s(Array(repeating: 1, count: 264)))
    },
    Case("merges that are numbers", .wrongType) {
      $0.set("tokenizer.ggml.merges", .int32s([1]))
    },
    Case("byte pairs without merges", .missingKey) {
      $0.set("tokenizer.ggml.model", .string("gpt2"))
    },
    Case("a token to add that does not exist", .badValue) {
      $0.set("tokenizer.ggml.model", .string("gemma4"))
      $0.set("tokenizer.ggml.merges", .strings([]))
      $0.remove("tokenizer.ggml.bos_token_id")
    },
    Case("no vocabulary by name", .notAChatModel) {
      $0.set("tokenizer.ggml.model", .string("none"))
    },
    Case("one part of a split model", .splitFile) { $0.set("split.count", .uint16(3)) },
    Case("an image part", .notAChatModel) { $0.set("general.type", .string("mmproj")) },
    Case("an adapter", .notAChatModel) { $0.set("general.type", .string("adapter")) },
    Case("a clip file", .notAChatModel) { $0.set("general.architecture", .string("clip")) },
  ]

  static let all = notModels + header + keys + tensors + models + vocabularies

  @Test(arguments: all)
  func `each bad file gets its own error`(bad: Case) {
    let bytes = bad.make()
    let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bytes)) }
    #expect(error?.kind == bad.kind, "\(error?.description ?? "")")
    #expect(error?.hybridError.nextStep?.isEmpty == false)
  }

  @Test(arguments: [
    ("llama.pooling_type", GGUFWriter.Value.uint32(1), ModelFileError.Kind.embeddingModel),
    ("llama.attention.causal", .bool(false), .embeddingModel),
  ])
  func `an embedding model is sound but cannot chat`(
    key: String, value: GGUFWriter.Value, kind: ModelFileError.Kind
  ) throws {
    var writer = GGUFWriter.tinyModel()
    writer.set(key, value)
    let header = try GGUFHeader(ModelBytes(writer.file()))
    let error = #expect(throws: ModelFileError.self) { try header.requireChatModel() }
    #expect(error?.kind == kind)
    #expect(error?.hybridError.code == .modelUnsupported)
  }

  @Test(arguments: ["bert", "gemma-embedding", "t5", "dream", "eagle3"])
  func `an architecture made for something else cannot chat`(architecture: String) throws {
    var writer = GGUFWriter.tinyModel()
    writer.keys = writer.keys.map { key in
      (key.name.replacing("llama.", with: architecture + ".", maxReplacements: 1), key.value)
    }
    writer.set("general.architecture", .string(architecture))
    let header = try GGUFHeader(ModelBytes(writer.file()))
    #expect(throws: ModelFileError.self) { try header.requireChatModel() }
  }

  @Test func `what a file looks like is said`() throws {
    for (name, likeness) in [
      ("a Git LFS pointer", "Git LFS pointer"), ("a web page", "web page"),
      ("a zip archive", "zip archive"), ("a safetensors file", "safetensors"),
      ("zeros", "interrupted download"),
    ] {
      let bytes = try #require(Self.all.first { $0.name == name }).make()
      let error = #expect(throws: ModelFileError.self) { try GGUFHeader(ModelBytes(bytes)) }
      #expect(error?.problem.contains(likeness) == true, "\(error?.problem ?? "")")
    }
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

extension GGUFWriter {
  private static let tinyFile = tinyModel().file()
  private static let tinyHeaderCount = tinyModel().header().count

  /// The small model with one to four random changes in its header.
  static func mutant(seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes = tinyFile
    let header = tinyHeaderCount
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 4..<header, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2:
        let extremes: [UInt64] = [0, 1, 1 << 31, 1 << 32, 1 << 63, .max, .max - 7]
        let value = extremes[Int.random(in: 0..<extremes.count, using: &random)]
        bytes.replaceSubrange(place..<place + 8, with: little(value))
      case 3: bytes.removeSubrange(place..<place + Int.random(in: 1...16, using: &random))
      case 4: bytes.insert(contentsOf: bytes[place..<place + 8], at: place)
      default: bytes.swapAt(place, Int.random(in: 4..<header, using: &random))
      }
    }
    return bytes
  }
}

@Suite struct MutantTests {
  @Test func `a thousand mutants are refused with a type or read, and never trap`() async {
    var refused = 0
    for seed in 0..<1_000 as Range<UInt64> {
      if seed % 50 == 0 { await Task.yield() }
      let source = Counted(GGUFWriter.mutant(seed: seed))
      do throws(ModelFileError) {
        _ = try GGUFHeader(source.bytes)
      } catch {
        refused += 1
      }
    }
    #expect((200..<1_000).contains(refused), "\(refused) refused")
  }

  /// Bytes that check that no read asks for more than a piece.
  struct Counted {
    let bytes: ModelBytes

    init(_ content: [UInt8]) {
      let plain = ModelBytes(content)
      bytes = ModelBytes(size: plain.size) { offset, count throws(ModelFileError) in
        #expect(count <= 4 << 20)
        #expect(UInt64(count) <= plain.size - offset || count == 512)
        return try plain.read(offset, count)
      }
    }
  }
}

@Suite struct ModelFileHandleTests {
  private func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }

  @Test func `a path that leads nowhere, to a folder, a pipe or an empty file says so`() throws {
    try withFolder { folder in
      _ = FileManager.default.createFile(atPath: folder + "/empty.gguf", contents: Data())
      #expect(unsafe mkfifo(folder + "/pipe.gguf", 0o600) == 0)
      let cases: [(String, ModelFileError.Kind, ErrorCode)] = [
        ("/none.gguf", .missing, .modelNotFound),
        ("/empty.gguf/none.gguf", .missing, .modelNotFound),
        ("", .directory, .modelFileInvalid),
        ("/empty.gguf", .empty, .modelFileInvalid),
        ("/pipe.gguf", .notAFile, .modelFileInvalid),
      ]
      for (name, kind, code) in cases {
        let error = #expect(throws: ModelFileError.self) { try GGUFHeader(path: folder + name) }
        #expect(error?.kind == kind)
        #expect(error?.path == folder + name)
        #expect(error?.hybridError.code == code)
        #expect(error?.hybridError.message.contains(folder + name) == true)
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file without permission says so`() throws {
    try withFolder { folder in
      _ = FileManager.default.createFile(
        atPath: folder + "/secret.gguf", contents: Data("GGUF".utf8),
        attributes: [.posixPermissions: 0])
      let error = #expect(throws: ModelFileError.self) {
        try GGUFHeader(path: folder + "/secret.gguf")
      }
      #expect(error?.kind == .unreadable)
    }
  }

  @Test func `the name of a part says that the model is split`() throws {
    try withFolder { folder in
      let path = folder + "/big-00002-of-00003.gguf"
      try Data(GGUFWriter.tinyModel().file()).write(to: URL(filePath: path))
      let error = #expect(throws: ModelFileError.self) { try GGUFHeader(path: path) }
      #expect(error?.kind == .splitFile)
      #expect(error?.hybridError.code == .modelUnsupported)
    }
  }

  @Test func `a rewritten file has another identity`() throws {
    try withFolder { folder in
      let path = folder + "/model.gguf"
      try Data(GGUFWriter.tinyModel().file()).write(to: URL(filePath: path))
      let before = try ModelFileIdentity(path: path)
      #expect(try ModelFileIdentity(path: path) == before)
      try Data(GGUFWriter.tinyModel().file() + [0]).write(to: URL(filePath: path))
      #expect(try ModelFileIdentity(path: path) != before)
    }
  }

  @Test func `a file rewritten in place under its old date has another identity`() throws {
    try withFolder { folder in
      let path = folder + "/model.gguf"
      let file = GGUFWriter.tinyModel().file()
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      try Data(file).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      let before = try ModelFileIdentity(path: path)
      var after = before
      // The kernel's own dates move in steps of some milliseconds.
      for _ in 0..<500 where after == before {
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.write(contentsOf: Data(file.reversed()))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        after = try ModelFileIdentity(path: path)
      }
      #expect(after != before)
      #expect(
        (after.inode, after.size, after.modified) == (before.inode, before.size, before.modified))
    }
  }
}
