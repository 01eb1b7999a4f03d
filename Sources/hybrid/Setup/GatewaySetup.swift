internal import HybridCore
internal import HybridRemote
internal import HybridRouting

/// The gateway that the options and the environment name. Making it opens nothing.
enum GatewaySetup {
  /// - Returns: nil where no URL is given; a key alone makes no gateway.
  /// - Throws: `usage`, and `invalidConfiguration` for a URL that may not be used.
  static func of(
    _ arguments: ParsedArguments, _ environment: Environment, failures: FailureTable = .standard
  ) throws(HybridError) -> GatewayClient? {
    let named = GatewayEnvironment(
      baseURL: try arguments.filled(.gateway), model: try arguments.filled(.gatewayModel),
      keyFile: try arguments.filled(.keyFile), environment: { environment[$0] })
    guard let url = named.baseURL else { return nil }
    var options = GatewayOptions()
    options.allowsHTTP = arguments.has(.allowHTTP)
    options.failures = failures
    options.headers = named.headers
    return try GatewayClient(
      baseURL: url, model: named.model, credentials: named.credentials, options: options)
  }
}
