internal import HybridCore

/// Which gateway and key the environment names.
///
/// An explicit value comes before `HYBRID_…`, and that before `OPENAI_…`; blank counts as unset. A key
/// alone makes no gateway. The key is the first of
///
/// 1. the explicit key file, or the one that `HYBRID_KEY_FILE` names;
/// 2. systemd's credential `hybrid_gateway_key`;
/// 3. systemd's credential `openai_api_key`, then `OPENAI_API_KEY`.
///
/// Those named for OpenAI go to `OPENAI_BASE_URL` or to OpenAI's own address and never to another
/// gateway; so do `OPENAI_ORG_ID` and `OPENAI_PROJECT_ID`.
public struct GatewayEnvironment: Sendable {
  /// nil: no gateway is configured.
  public var baseURL: String?

  /// nil: whichever the gateway serves by itself.
  public var model: String?

  public var credentials: Credentials

  /// The account's organisation and project, where they are named.
  public var headers = HTTPHeaders()

  /// What this process's own environment names.
  public static var process: GatewayEnvironment {
    GatewayEnvironment(environment: ProcessEnvironment.value)
  }

  /// Looks whether systemd's credentials are there; reads none of them.
  ///
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
    let isForOpenAI =
      self.baseURL.map { base in
        ServerProfile.isOpenAI(base) || openAIBase.map { Self.isSame(base, $0) } == true
      } ?? false
    if let path = Self.set(keyFile) ?? value("HYBRID_KEY_FILE") {
      credentials = .file(path)
    } else if let given = Self.given("hybrid_gateway_key", environment) {
      credentials = given
    } else if isForOpenAI, let given = Self.given("openai_api_key", environment) {
      credentials = given
    } else if isForOpenAI, let key = value("OPENAI_API_KEY") {
      credentials = .key(Secret(key))
      credentials.name = "OPENAI_API_KEY"
    } else {
      credentials = .none
    }
    if isForOpenAI {
      headers["OpenAI-Organization"] = value("OPENAI_ORG_ID")
      headers["OpenAI-Project"] = value("OPENAI_PROJECT_ID")
    }
  }

  /// A credential that systemd gave this process; nil where there is none of the name.
  private static func given(_ name: String, _ environment: (String) -> String?) -> Credentials? {
    guard let directory = set(environment("CREDENTIALS_DIRECTORY")),
      KeyFile.isThere(directory + "/" + name)
    else { return nil }
    return .systemd(name) { _ in directory }
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
