/// What tuned thread counts hold for: a model on a machine under a quota.
package struct TuneKey: Sendable, Hashable {
  /// The model file's size and a digest of its head and tail, in hexadecimal.
  package let model: String
  /// The processor's name and the CPUs allowed.
  package let machine: String
  /// The quota in CPUs; nil without one.
  package let quota: String?

  package init(model: String, machine: String, quota: String?) {
    self.model = model
    self.machine = machine
    self.quota = quota
  }

  /// - Throws: ``ModelFileError`` when the model cannot be read. Costs two reads of 64 KiB.
  package init(modelPath: String, machine: Machine) throws(ModelFileError) {
    self = try TuneSubject(modelPath: modelPath, machine: machine).key(under: machine.cpuBudget())
  }
}

/// A model on this machine's processor: what stays of a ``TuneKey`` while quotas change.
package struct TuneSubject: Sendable, Hashable {
  package let model: String
  package let processor: String

  package init(model: String, processor: String) {
    self.model = model
    self.processor = processor
  }

  /// - Throws: ``ModelFileError`` when the model cannot be read. Costs two reads of 64 KiB, and one of
  ///   `/proc/cpuinfo`.
  package init(modelPath: String, machine: Machine) throws(ModelFileError) {
    self.init(
      model: try Self.digest(ModelFileHandle(path: modelPath).bytes),
      processor: Self.processor(machine.files))
  }

  package func key(under budget: CPUBudget) -> TuneKey {
    TuneKey(
      model: model, machine: "\(processor); CPUs \(budget.allowed)",
      quota: budget.quota.map { "\($0.cpus)" })
  }

  /// FNV-1a over the first and the last 64 KiB: the header with the tensors' names and places, and the
  /// end of the weights. Tells models apart; proves nothing about who made them.
  static func digest(_ bytes: ModelBytes) throws(ModelFileError) -> String {
    let piece = 64 << 10
    let head = try bytes.read(0, piece)
    let tail = try bytes.read(bytes.size - min(bytes.size, UInt64(piece)), piece)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in head + tail {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return "\(bytes.size)-\(String(hash, radix: 16))"
  }

  /// x86 names its processor; Arm numbers who made it and which part it is.
  static func processor(_ files: MachineFiles) -> String {
    var found: [Substring: Substring] = [:]
    for line in (files.read("/proc/cpuinfo") ?? "").split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].trimmingBlanks
      if found[name] == nil { found[name] = line[line.index(after: colon)...].trimmingBlanks }
    }
    if let name = found["model name"] { return String(name) }
    if let maker = found["CPU implementer"], let part = found["CPU part"] {
      return "Arm \(maker) \(part)"
    }
    return "unknown processor"
  }
}
