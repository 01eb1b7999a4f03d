import HybridCore

extension Check {
  /// Some tool of the request is unknown here. No executor runs tools on this machine, so any tool
  /// has failed `unsupportedFeature` already and there is nothing left to compare.
  static let unknownTool = Check(code: .unknownTool, sides: [.local]) { _ in .notApplicable }
}
