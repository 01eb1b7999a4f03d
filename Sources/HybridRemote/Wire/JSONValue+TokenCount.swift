internal import HybridCore

extension JSONValue {
  /// A number of tokens; nil for what can be none: negative, broken, or over 2^53, where not every
  /// reader of JSON keeps every digit.
  var tokenCount: Int? { int.flatMap { $0.isTokenCount ? $0 : nil } }
}

extension Int {
  var isTokenCount: Bool { (0...(1 << 53)).contains(self) }
}
