/// A format that a model's weights may be converted to.
public struct WeightFormat: Sendable, Hashable, CustomStringConvertible {
  /// As llama.cpp and file names have it: `Q8_0`.
  public let name: String
  /// llama.cpp's number for a file in it, `llama_ftype`.
  package let fileType: Int32
  /// What most of its tensors are stored in.
  package let type: GGMLType

  private init(_ name: String, fileType: Int32, type number: UInt32) {
    guard let type = GGMLType(number: number) else { preconditionFailure("no type \(number)") }
    self.name = name
    self.fileType = fileType
    self.type = type
  }

  /// 8.5 bits a weight. Loses next to nothing of any format that is usual for files.
  public static let q8 = WeightFormat("Q8_0", fileType: 7, type: 8)
  /// 4.5 bits a weight, evenly spaced. Loses much of a small model.
  public static let q4 = WeightFormat("Q4_0", fileType: 2, type: 2)
  /// 4.5 bits a weight, spaced as weights are. Loses a little less.
  public static let iq4nl = WeightFormat("IQ4_NL", fileType: 25, type: 20)

  /// Those that llama.cpp has fast kernels for on many CPUs, and writes without an importance matrix.
  public static let all: [WeightFormat] = [.q8, .q4, .iq4nl]

  /// By its name in any case; nil for a format that is none of ``all``.
  public init?(named name: String) {
    guard let format = Self.all.first(where: { $0.name == name.uppercased() }) else { return nil }
    self = format
  }

  public var description: String { name }
}
