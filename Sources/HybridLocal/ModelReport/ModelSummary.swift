public import HybridCore

/// A model file at a glance, from its header alone.
public struct ModelSummary: Sendable {
  /// The name to call it by.
  public let name: String
  public let path: String
  /// Bytes of the file.
  public let size: UInt64
  /// What the header says; the error of a load for a file that is refused.
  public let facts: Result<Facts, HybridError>
  /// How long reading the header took.
  public let readTime: Duration

  /// What the header says, and what this machine makes of it.
  public struct Facts: Sendable, Hashable {
    public var use: ModelUse
    /// The family that llama.cpp builds the graph by, such as `llama`.
    public var architecture: String
    /// Rough size as its makers wrote it, such as `135M`.
    public var sizeLabel: String?
    /// Weights.
    public var parameterCount: UInt64
    /// The format of the weights, such as `Q4_1`.
    public var format: String
    /// Tokens that it was trained on at once.
    public var trainedContextLength: Int
    public var template: TemplateFamily
    /// The licence field of the file, such as `apache-2.0`; nil where it has none.
    public var license: String?
    /// Tokens that a request could take with the default options, or a text of an embedding model;
    /// nil for any other.
    public var contextLength: Int?
    /// Bytes that a load with the default options would come to take, with every request that may run
    /// at once, or with a full batch of an embedding model; nil for any other.
    public var expectedMemory: Int?
    /// Bytes that may be taken now; nil where the machine does not tell.
    public var availableMemory: Int?
    /// How much of the weights is in formats that llama.cpp has fast kernels for on this CPU, 0…1; nil
    /// in a build without llama.cpp, and for a file without weights.
    public var fastShare: Double?
    /// Whether a copy that ``ModelTuner`` made for this CPU stands ready; nil in a build without
    /// llama.cpp.
    public var tunedCopy: TunedCopyChoice?
  }
}

/// Every model file that is found, and where it was looked for.
public struct ModelListing: Sendable {
  /// In the order of the look-up: the first is the default. Files that are no sound models are among
  /// them, with their error.
  public let models: [ModelSummary]
  package let places: [ModelLocator.Listing.Visit]

  /// Whether the name of one means it, and not an earlier one of the same name.
  package func isNamed(_ index: Int) -> Bool {
    let name = models[index].name.lowercased()
    return !models[..<index].contains { $0.name.lowercased() == name }
  }

  /// The folders that were looked in, in their order, those that do not exist among them.
  public var folders: [String] { places.map(\.place.path) }
}
