package import HybridCore

/// Why a file cannot serve as a model, found before llama.cpp is shown it.
///
/// Names the file, the place in it and the next step. Texts from the file itself appear only as
/// keys, cut short and made printable.
package struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    // The file as a whole.
    case missing, directory, notAFile, linkLoop, empty, notGGUF
    // The file could not be read now, whatever is in it.
    case unreadable, readFailed, outOfDescriptors, outOfMemory
    // A GGUF file of a kind that is not read here.
    case bigEndian, unsupportedVersion, splitFile
    // Damage, or malice.
    case truncated, tooLarge, badKey, duplicateKey, wrongType, badValue, missingKey
    case badTensor, duplicateTensor, unknownTensorType, misplacedTensor, badVocabulary
    // Tensors that the file's own numbers contradict.
    case missingTensor, wrongShape, strayTensor
    // Another file than the one that was meant.
    case wrongHash
    // A sound file that is no chat model.
    case vocabularyOnly, embeddingModel, notAChatModel

    /// True where the same file may serve at another time; false where only another one can.
    package var passes: Bool {
      [.unreadable, .readFailed, .outOfDescriptors, .outOfMemory].contains(self)
    }
  }

  package let kind: Kind
  /// The path as it was given, where there is one.
  package var path: String?
  /// Bytes from the start of the file, where a place can be named.
  package let offset: UInt64?
  /// The metadata key or the tensor concerned, cut to 80 characters.
  package let key: String?
  /// What is wrong, in a sentence without its full stop.
  package let problem: String
  /// What to do about it where more is known than the kind.
  private let remedy: String?

  init(
    _ kind: Kind, _ problem: String, offset: UInt64? = nil, key: String? = nil,
    path: String? = nil, remedy: String? = nil
  ) {
    self.remedy = remedy
    self.kind = kind
    self.problem = problem
    self.offset = offset
    self.key = key.map(Self.printable)
    self.path = path
  }

  /// What to do about it, in a sentence without its full stop.
  package var nextStep: String {
    if let remedy { return remedy }
    return switch kind {
    case .missing:
      "Check the path, or list the models that are found with `hybrid models`"
    case .directory:
      "Name the .gguf file inside the folder"
    case .notAFile:
      "Name a regular file"
    case .linkLoop:
      "Remove the link, or let it lead to the .gguf file (`ls -l` shows where it leads)"
    case .unreadable:
      "Give this user read permission on the file and on the folders above it; it is tried again"
    case .readFailed:
      "Check the disk; it is tried again"
    case .outOfDescriptors:
      "Close files or raise the limit on open files (`ulimit -n`); it is tried again"
    case .outOfMemory:
      "Free memory or raise its limit; it is tried again"
    case .empty, .truncated:
      "Download the file again and compare its size or SHA-256 with the publisher's"
    case .wrongHash:
      "Do not use this file; download it again, and compare with the SHA-256 that its publisher tells"
    case .notGGUF:
      "Use a GGUF file, as llama.cpp's converter writes"
    case .bigEndian:
      "Get the model in little-endian byte order, as most publishers have it"
    case .unsupportedVersion:
      "Get the model in GGUF version 2 or 3, as llama.cpp's converter writes"
    case .splitFile:
      "Merge the parts with llama.cpp's `llama-gguf-split --merge`, or use a one-part file"
    case .vocabularyOnly:
      "Use a file that holds the weights"
    case .embeddingModel:
      "Embed texts with it (`LocalEmbedder`, `hybrid embed`); to chat, choose a model made to generate text"
    case .notAChatModel:
      "Choose a chat model: one made to generate text"
    case .tooLarge, .badKey, .duplicateKey, .wrongType, .badValue, .missingKey, .badTensor,
      .duplicateTensor, .unknownTensorType, .misplacedTensor, .badVocabulary, .missingTensor,
      .wrongShape, .strayTensor:
      "Do not use this file; get it again from a publisher that you trust"
    }
  }

  package var description: String {
    let file = path.map { "\($0): " } ?? ""
    let place = offset.map { " (at byte \($0))" } ?? ""
    return "\(file)\(problem)\(place). \(nextStep)."
  }

  /// The error that a caller of the SDK sees.
  package var hybridError: HybridError {
    let code: ErrorCode =
      switch kind {
      case .missing, .linkLoop: .modelNotFound
      case _ where kind.passes: .modelLoadFailed
      case .bigEndian, .unsupportedVersion, .splitFile, .vocabularyOnly, .embeddingModel,
        .notAChatModel:
        .modelUnsupported
      default: .modelFileInvalid
      }
    var details: JSONObject = ["kind": .string(kind.rawValue)]
    details["path"] = path.map { .string($0) }
    details["offset"] = offset.map { .int(Int(clamping: $0)) }
    details["key"] = key.map { .string($0) }
    let file = path.map { "\($0): " } ?? ""
    let place = offset.map { " (at byte \($0))" } ?? ""
    return HybridError(
      code, "\(file)\(problem)\(place)", nextStep: nextStep, details: details, side: .local,
      underlying: self)
  }

  /// The same failure with the file's path.
  func at(path: String) -> ModelFileError {
    var error = self
    error.path = path
    return error
  }

  /// Text from the file as it may stand in a message: printable ASCII, 80 characters at most.
  static func printable(_ text: String) -> String {
    let characters = text.unicodeScalars.prefix(80).map { scalar in
      (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
    }
    return String(characters) + (text.unicodeScalars.count > 80 ? "…" : "")
  }
}
