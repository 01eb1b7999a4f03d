private import HybridCore

extension ModelReader {
  /// The format of the weights, the CPU and the memory for them, the licence.
  func machineChecks(
    _ header: GGUFHeader, _ values: [String: GGUFValue], _ facts: ModelSummary.Facts,
    _ findings: inout ModelFindings
  ) {
    let key = "general.file_type"
    if case .integer(let number)? = values[key]?.payload,
      GGMLType.fileTypeName(Int(clamping: number)) == nil
    {
      findings.warn(
        .format,
        "the format's number \(number) is not known; most of the weights are \(facts.format)",
        key: key)
    } else if facts.format == "unknown" {
      findings.warn(.format, "the file has no weights, and says no format")
    } else {
      findings.pass(.format, facts.format)
    }
    kernelCheck(header, facts, &findings)
    memoryCheck(facts, &findings)
    if let license = facts.license {
      findings.pass(.license, ModelFileError.printable(license))
    } else {
      findings.warn(.license, "the file does not say under which licence it may be used")
    }
  }

  private func kernelCheck(
    _ header: GGUFHeader, _ facts: ModelSummary.Facts, _ findings: inout ModelFindings
  ) {
    guard header.hasWeights else {
      return findings.skip(.kernels, because: "the file has no weights")
    }
    guard let kernels, let share = facts.fastShare else {
      return findings.skip(.kernels, because: "llama.cpp is not there to tell")
    }
    let slow = header.matrixBytes.keys.filter { kernels.kind(for: $0) == nil }.sorted()
    guard !slow.isEmpty else {
      return findings.pass(.kernels, "this CPU has fast kernels for all of its weights")
    }
    let percent = max(1, Int(((1 - share) * 100).rounded()))
    findings.warn(
      .kernels,
      "this CPU has no fast kernels for \(slow.joined(separator: ", ")), \(percent) % of the weights; "
        + "hybrid models tune makes a copy that is faster")
  }

  private func memoryCheck(_ facts: ModelSummary.Facts, _ findings: inout ModelFindings) {
    guard let needed = facts.expectedMemory, let length = facts.contextLength else {
      return findings.skip(.memory, because: "it is foretold for chat and embedding models only")
    }
    let need = "\(ByteText.of(needed)) at a context of \(length) tokens"
    guard let available = facts.availableMemory else { return findings.pass(.memory, need) }
    if needed <= available {
      findings.pass(.memory, "\(need), of \(ByteText.of(available)) available")
    } else {
      findings.warn(.memory, "\(need), and \(ByteText.of(available)) are available")
    }
  }
}
