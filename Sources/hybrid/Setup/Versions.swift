/// What is at work, for `hybrid --version` and `hybrid doctor`.
struct Versions: Sendable, Hashable {
  /// HybridKit's own.
  let sdk: String

  static let current = Versions(sdk: "0.1.0")

  var text: String { "hybrid \(sdk)\n" }
}
