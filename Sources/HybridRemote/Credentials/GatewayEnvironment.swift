internal import HybridCore

/// Which gateway and key the environment names.
///
/// An explicit value comes before `HYBRID_…`, and that before `OPENAI_…`; blank counts as unset. A key
/// alone makes no gateway. `OPENAI_API_KEY` goes to `OPENAI_BASE_URL` or to OpenAI's own address and
/// never to another gateway: those keys are named by a file.
public struct GatewayEnvironment: Sendable {
  /// nil: no gateway is configured.
  public var baseURL: String?

  /// nil: whichever the gateway serves by itself.
  public var model: String?

  public var credentials: Credentials

  /// - Parameters:
  ///   - baseURL: explicit; nil or blank: from the environment.
  ///   - model: likewise.
  ///   - keyFile: likewise.
  ///   - environment: looks a variable up.
  public init(
    baseURL: String? = nil, model: String? = nil, keyFile: String? = nil,
    environment: (String) -> String?
  ) {
    func value(_ name: String) -> String? { Self.set(environment(name)) }
    let openAIBase = value("OPENAI_BASE_URL")
    self.baseURL = Self.set(baseURL) ?? value("HYBRID_GATEWAY") ?? openAIBase
    self.model = Self.set(model) ?? value("HYBRID_GATEWAY_MODEL")
    if let path = Self.set(keyFile) ?? value("HYBRID_KEY_FILE") {
      credentials = .file(path)
    } else if let key = value("OPENAI_API_KEY"), let base = self.baseURL,
      ServerProfile.isOpenAI(base) || openAIBase.map({ Self.isSame(base, $0) }) == true
    {
      credentials = .key(Secret(key))
      credentials.name = "OPENAI_API_KEY"
    } else {
      credentials = .none
    }
  }

  private static func set(_ value: String?) -> String? {
    value.map(HeaderRules.trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The same scheme, host, port and path.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard let left = try? GatewayAddress(left, allowsHTTP: true),
      let right = try? GatewayAddress(right, allowsHTTP: true)
    else { return false }
    return left == right
  }
}
