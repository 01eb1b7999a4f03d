/// An option that is not understood, or a measurement that is none.
public struct UsageError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
