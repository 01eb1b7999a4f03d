public import HybridCore

extension GatewayClient {
  /// A client of the gateway that the environment names.
  ///
  ///     let client = try GatewayClient(environment: .process)
  ///
  /// The environment's headers are sent with the options' own, which come first.
  ///
  /// - Throws: `invalidConfiguration` where it names none, or one that may not be used.
  public convenience init(
    environment: GatewayEnvironment, options: GatewayOptions = GatewayOptions()
  ) throws(HybridError) {
    guard let baseURL = environment.baseURL else {
      throw HybridError(
        .invalidConfiguration, "the environment names no gateway",
        nextStep: "Set HYBRID_GATEWAY or OPENAI_BASE_URL to its URL, /v1 included", side: .remote)
    }
    var options = options
    options.headers = HeaderRules.merged([environment.headers, options.headers])
    try self.init(
      baseURL: baseURL, model: environment.model, credentials: environment.credentials,
      options: options)
  }
}
