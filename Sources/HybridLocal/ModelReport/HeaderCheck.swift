/// Takes a header apart step by step and keeps going where it can.
///
/// The steps are those of ``GGUFHeader``'s own reading, so that what passes here is what a load takes.
struct HeaderCheck {
  private(set) var findings = ModelFindings()
  /// The keys, once they could be read.
  private(set) var values: [String: GGUFValue]?
  /// The list of tensors, once it could be read.
  private(set) var tensors: [GGUFTensor]?
  /// What a load would throw of the structure; nil where that is sound.
  private(set) var error: ModelFileError?

  init(_ source: ModelBytes) {
    do throws(ModelFileError) {
      try readStructure(source)
    } catch {
      self.error = error
      findings.fail(Self.steps.first { !findings.has($0) } ?? .length, error)
    }
    for step in Self.steps where !findings.has(step) {
      findings.skip(step, because: "not reached")
    }
  }

  private static let steps: [ModelCheck.Check] = [
    .signature, .version, .counts, .keys, .alignment, .tensors, .length,
  ]

  private mutating func readStructure(_ source: ModelBytes) throws(ModelFileError) {
    var reader = GGUFReader(source)
    try reader.signature()
    findings.pass(.signature, "a GGUF file of \(source.size) bytes")
    findings.pass(.version, "\(try reader.version()), little-endian")
    let counts = try reader.counts()
    findings.pass(.counts, "\(counts.keys) keys, \(counts.tensors) tensors")
    let values = try reader.values(counts.keys)
    self.values = values
    findings.pass(.keys, "names, types and lengths are sound, and none stands twice")
    let alignment = try GGUFReader.alignment(values)
    findings.pass(.alignment, "\(alignment) bytes")
    let tensors = try reader.tensors(counts.tensors, alignment: alignment)
    self.tensors = tensors
    let matrices = tensors.count { $0.dimensions.count > 1 }
    findings.pass(
      .tensors, "\(matrices) matrices and \(tensors.count - matrices) vectors, each in its place")
    try GGUFReader.checkData(
      tensors, from: reader.dataOffset(alignment: alignment), fileSize: source.size)
    let rest = GGUFReader.bytes(
      after: tensors, from: reader.dataOffset(alignment: alignment), alignment: alignment,
      fileSize: source.size)
    guard rest > 0 else { return findings.pass(.length, "as long as the header asks for") }
    findings.warn(
      .length,
      "\(rest) \(rest == 1 ? "byte follows" : "bytes follow") the last tensor, of which the header says "
        + "nothing: is it the file that was published?")
  }
}

extension HeaderCheck {
  /// What the keys say of the model, each for itself.
  ///
  /// - Parameters:
  ///   - tensors: nil where their list cannot be read.
  ///   - path: tells the parts of a split model.
  static func content(
    _ values: [String: GGUFValue], _ tensors: [GGUFTensor]?, path: String
  ) -> ModelFindings {
    var findings = ModelFindings()
    let keys = GGUFKeys(values: values)
    let architecture: String
    do throws(ModelFileError) {
      architecture = try GGUFHeader.architecture(keys)
      try SplitFile.refuse(keys, path: path)
      try ModelKind.refuseCompanions(keys, architecture: architecture)
      findings.pass(
        .model, "architecture \(ModelFileError.printable(architecture)), no part and no adapter")
    } catch {
      findings.fail(.model, error)
      findings.skip(.shape, .vocabulary, .weights, because: "not reached")
      return findings
    }
    var known: (shape: ModelShape?, vocabulary: VocabularyHeader?)
    do throws(ModelFileError) {
      let shape = try ModelShape(keys, architecture: architecture)
      known.shape = shape
      findings.pass(
        .shape,
        "\(shape.blockCount) layers of width \(shape.embeddingLength), trained on "
          + "\(shape.trainedContextLength) tokens")
    } catch {
      findings.fail(.shape, error)
    }
    do throws(ModelFileError) {
      let vocabulary = try VocabularyHeader(keys)
      known.vocabulary = vocabulary
      let tokenizer = ModelFileError.printable(vocabulary.model)
      findings.pass(.vocabulary, "\(vocabulary.size) tokens, tokenizer \(tokenizer)")
      for key in vocabulary.ignoredTokens {
        findings.warn(
          .vocabulary, "\(key) lies outside of the vocabulary, and is left out", key: key)
      }
    } catch {
      findings.fail(.vocabulary, error)
    }
    guard let shape = known.shape, let vocabulary = known.vocabulary, let tensors else {
      findings.skip(.weights, because: "not reached")
      return findings
    }
    findings.append(
      weights(tensors, keys, shape, vocabulary: vocabulary.size, architecture: architecture))
    return findings
  }

  /// Whether the tensors are those that the numbers ask for.
  private static func weights(
    _ tensors: [GGUFTensor], _ keys: GGUFKeys, _ shape: ModelShape, vocabulary: Int,
    architecture: String
  ) -> ModelFindings {
    var findings = ModelFindings()
    guard !tensors.isEmpty else {
      findings.skip(.weights, because: "the file has no weights")
      return findings
    }
    do throws(ModelFileError) {
      let isKnown = try TensorFit.check(
        tensors, keys, shape: shape, vocabulary: vocabulary, architecture: architecture)
      if isKnown {
        findings.pass(.weights, "the \(tensors.count) tensors that the numbers above ask for")
        return findings
      }
    } catch {
      findings.fail(.weights, error)
      return findings
    }
    let doubts = TensorFit.doubts(
      tensors, shape: shape, vocabulary: vocabulary, architecture: architecture)
    for doubt in doubts { findings.warn(.weights, doubt) }
    if doubts.isEmpty {
      findings.pass(.weights, "nothing contradicts the numbers above, as far as can be told")
    }
    return findings
  }
}
