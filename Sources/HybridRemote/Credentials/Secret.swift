/// A text that is used and never shown: every description, mirror, dump and encoding is a mask.
public struct Secret: Sendable, Hashable {
  private let value: String

  public init(_ value: String) {
    self.value = value
  }

  /// The text itself. Whoever asks for it answers for where it goes.
  public func reveal() -> String { value }

  static let mask = "<secret>"
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { Self.mask }
  public var debugDescription: String { Self.mask }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Codable {
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the mask: a secret does not survive being written down.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.mask)
  }
}
