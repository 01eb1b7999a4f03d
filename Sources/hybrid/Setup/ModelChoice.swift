internal import HybridCore
internal import HybridLocal

/// The local model file that the options and the environment name, or the first one found.
struct ModelChoice: Sendable, Hashable {
  let path: String
  let source: Source

  enum Source: Sendable, Hashable {
    case option
    case environment
    /// The first in the look-up order.
    case found(place: String)
  }

  /// - Returns: nil for `--no-local`, and where nothing was named and nothing is found.
  /// - Throws: `modelNotFound` for a name that no file has; `modelLoadFailed` where no descriptor is left
  ///   to look for one. A path is taken as it is: whether it can be
  ///   used is for the plan to say.
  static func of(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(HybridError) -> ModelChoice? {
    try arguments.refuseTogether(.localModel, .noLocal)
    if arguments.has(.noLocal) { return nil }
    if let named = try named(arguments, environment) { return named }
    let listing = locator(environment).list()
    try listing.mustBeWhole()
    return listing.models.first.map { model in
      ModelChoice(path: model.path, source: .found(place: model.place?.path ?? ""))
    }
  }

  /// The model that an option or the environment names; nil where neither does.
  static func named(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(HybridError) -> ModelChoice? {
    if let request = try arguments.filled(.localModel) {
      return ModelChoice(path: try path(request, locator(environment)), source: .option)
    }
    if let request = environment[variable] {
      return ModelChoice(path: try path(request, locator(environment)), source: .environment)
    }
    return nil
  }

  /// The model that a command's operand names, as above where there is none.
  static func of(
    operand: String?, _ environment: Environment
  ) throws(HybridError) -> ModelChoice? {
    guard let operand else { return try of(ParsedArguments(), environment) }
    return ModelChoice(path: try path(operand, locator(environment)), source: .option)
  }

  static let variable = "HYBRID_LOCAL_MODEL"

  static func locator(_ environment: Environment) -> ModelLocator {
    ModelLocator(environment: environment.variables, home: environment["HOME"])
  }

  private static func path(
    _ request: String, _ locator: ModelLocator
  ) throws(HybridError) -> String {
    do throws(HybridError) {
      return try locator.find(request).path
    } catch {
      // Something stands there, or is said to.
      guard request.contains("/") || error.underlying is ModelFileError else { throw error }
      return request
    }
  }
}
