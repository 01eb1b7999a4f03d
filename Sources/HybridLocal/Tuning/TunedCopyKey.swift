/// What a tuned copy holds for: a model, on a processor, with a llama.cpp.
package struct TunedCopyKey: Sendable, Hashable {
  /// ``ModelFingerprint`` of the file as distributed.
  package let model: String
  /// The processor's name.
  package let processor: String
  /// llama.cpp's version.
  package let library: String

  package init(model: String, processor: String, library: String) {
    self.model = model
    self.processor = processor
    self.library = library
  }

  /// - Throws: ``ModelFileError`` when the model cannot be read. Costs half a megabyte of reading.
  package init(_ model: ModelBytes, machine: Machine, library: String) throws(ModelFileError) {
    self.init(
      model: try ModelFingerprint.of(model), processor: TuneSubject.processor(machine.files),
      library: library)
  }

  /// What the names of its files begin with.
  package var name: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    // A zero between them: no other three texts come to the same bytes.
    for byte in [model, processor, library].joined(separator: "\0").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
