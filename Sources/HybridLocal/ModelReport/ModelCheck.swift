public import HybridCore

/// What the pre-flight found in one model file: every check with its verdict.
public struct ModelCheck: Sendable {
  public let path: String
  /// In the order of the file; of some checks there are several.
  public let findings: [Finding]
  /// What the header says; nil where it cannot be read to its end.
  public let facts: ModelSummary.Facts?
  /// Why the file cannot serve; nil for a chat or embedding model that a load would take.
  public let error: HybridError?
  /// How long all of it took.
  public let checkTime: Duration

  public var isGood: Bool { error == nil }

  /// Whether every byte was compared, by a hash that was given. All else is told by the header alone: the
  /// weights are not read.
  public var isCompared: Bool {
    findings.contains { $0.check == .hash && $0.verdict == .pass }
  }

  public var warnings: [Finding] { findings.filter { $0.verdict == .warning } }

  public enum Verdict: String, Sendable, Hashable {
    case pass
    /// Worth knowing; the file serves all the same.
    case warning
    case failure
    /// What comes before it is wrong.
    case notChecked
  }

  /// One thing that is looked at.
  public struct Check: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A regular file that is not empty and not another format's.
    public static let signature = Check(rawValue: "signature")
    public static let version = Check(rawValue: "version")
    /// How many keys and tensors there are said to be.
    public static let counts = Check(rawValue: "counts")
    /// Names, types and lengths of all values; no key twice.
    public static let keys = Check(rawValue: "keys")
    public static let alignment = Check(rawValue: "alignment")
    /// Names, dimensions, types and places; none twice.
    public static let tensors = Check(rawValue: "tensors")
    /// As many bytes as the data of all tensors takes, whatever they are.
    public static let length = Check(rawValue: "length")
    /// A model by itself, not a part of one nor an adapter.
    public static let model = Check(rawValue: "model")
    /// The dimensions, as far as llama.cpp relies on them.
    public static let shape = Check(rawValue: "shape")
    /// The tokenizer's lists, and the special tokens.
    public static let vocabulary = Check(rawValue: "vocabulary")
    /// Whether the tensors are those that the dimensions and the vocabulary ask for.
    public static let weights = Check(rawValue: "weights")
    /// What the model is for.
    public static let use = Check(rawValue: "use")
    /// The format of the weights.
    public static let format = Check(rawValue: "format")
    /// Whether this CPU is fast with it.
    public static let kernels = Check(rawValue: "kernels")
    /// Whether this machine has room for it.
    public static let memory = Check(rawValue: "memory")
    /// Whether the chat template can be parsed, and renders a plain conversation.
    public static let template = Check(rawValue: "template")
    /// Whether the vocabulary has the special tokens that the template writes.
    public static let marks = Check(rawValue: "marks")
    public static let license = Check(rawValue: "license")
    /// Whether the file is the one that was meant.
    public static let hash = Check(rawValue: "sha256")
  }

  /// What one check came to.
  public struct Finding: Sendable, Hashable {
    public var check: Check
    public var verdict: Verdict
    /// A sentence or a few words, without a full stop. Texts from the file are cut and printable.
    public var message: String
    /// Bytes from the start of the file, where a place can be named.
    public var offset: UInt64?
    /// The metadata key or the tensor concerned.
    public var key: String?
  }
}
