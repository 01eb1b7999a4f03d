package import HybridCore

/// Reads summaries and checks of model files, for one machine and one environment. Blocks: on a warm
/// file a header of 50,000 tokens takes some ten milliseconds.
package struct ModelReader: Sendable {
  let machine: Machine
  let environment: [String: String]
  let files: ModelFiles
  let time: any TimeSource
  /// The formats that this CPU is fast with; nil where llama.cpp cannot be used.
  let kernels: FastKernels?

  package init(
    machine: Machine, environment: [String: String], files: ModelFiles = .real,
    time: any TimeSource = SystemTimeSource()
  ) {
    self.machine = machine
    self.environment = environment
    self.files = files
    self.time = time
    #if LocalLlama
      kernels = try? FastKernels.current()
    #else
      kernels = nil
    #endif
  }

  /// Everything that is found in the places of the environment.
  package func list(home: String?, folders: FolderReader = .real) -> ModelListing {
    let listing = ModelLocator(environment: environment, home: home, folders: folders).list()
    let copies = TunedCopies(environment: environment)?.modelSizes() ?? []
    return ModelListing(
      models: listing.models.map { summary(of: $0.path, size: $0.size, copies: copies) },
      places: listing.visits)
  }

  /// - Parameters:
  ///   - size: of the file, where it cannot be read.
  ///   - copies: the sizes of models that have a copy; nil: all are looked up.
  package func summary(
    of path: String, size: UInt64 = 0, copies: Set<UInt64>? = nil
  ) -> ModelSummary {
    let start = time.now()
    var size = size
    let facts: Result<ModelSummary.Facts, HybridError>
    do throws(ModelFileError) {
      let file = try files.open(path)
      size = file.identity.size
      let header = try GGUFHeader(file.bytes, name: path)
      facts = .success(self.facts(of: header, file.bytes, copies: copies))
    } catch {
      facts = .failure(error.at(path: path).hybridError)
    }
    return ModelSummary(
      name: ModelName.stem(ofPath: path), path: path, size: size, facts: facts,
      readTime: time.now() - start)
  }

  func facts(
    of header: GGUFHeader, _ bytes: ModelBytes, copies: Set<UInt64>? = nil
  ) -> ModelSummary.Facts {
    let use = ModelUse(header)
    let need = need(of: header, use)
    return ModelSummary.Facts(
      use: use, architecture: header.architecture, sizeLabel: header.sizeLabel,
      parameterCount: header.parameterCount, format: header.quantization,
      trainedContextLength: header.shape.trainedContextLength,
      template: TemplateFamily(template: header.vocabulary.chatTemplate),
      license: header.license, contextLength: need?.contextLength,
      expectedMemory: need?.bytes, availableMemory: need?.available,
      fastShare: header.hasWeights ? kernels?.share(of: header) : nil,
      tunedCopy: tunedCopy(of: bytes, copies))
  }

  /// What a load with the default options would take.
  private func need(
    of header: GGUFHeader, _ use: ModelUse
  ) -> (contextLength: Int, bytes: Int, available: Int?)? {
    if use == .chat {
      return plan(for: header).map { ($0.contextLength, $0.estimate.totalBytes, $0.availableBytes) }
    }
    guard use == .embedding, EmbedderKind.canEmbed(header) else { return nil }
    return (try? EmbedderPlan(header, memory: machine.memoryBudget())).map {
      ($0.contextLength, $0.estimate.totalBytes, $0.availableBytes)
    }
  }

  /// What a load with the default options would choose.
  func plan(for header: GGUFHeader) -> LoadPlan? {
    let cores = machine.threadPlan().decode.count
    return try? LoadPlan(
      header, memory: machine.memoryBudget(),
      sharing: LoadPlan.Sharing(slots: LoadPlan.Sharing.defaultSlots(cores: cores)))
  }

  private func tunedCopy(of bytes: ModelBytes, _ copies: Set<UInt64>?) -> TunedCopyChoice? {
    #if LocalLlama
      if let copies, !copies.contains(bytes.size) { return .absent(reason: "it was not tuned") }
      return TunedCopyChoice.of(bytes, machine: machine, environment: environment)
    #else
      return nil
    #endif
  }
}
