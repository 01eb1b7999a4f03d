import HybridCore
import HybridRemote

func readmeGateway() async throws {
  // README: gateway
  let client = try GatewayClient(environment: .process)  // HYBRID_GATEWAY and its key
  let vault = Credentials.refreshing(name: "vault") { refused in
    try await Vault.shared.key(replacing: refused)
  }
  let other = try GatewayClient(
    baseURL: "https://gateway.example/v1", model: "small", credentials: vault)
  let completion = try await other.chat.completions.create(ChatRequest(prompt: "Why?"))
  // README: end
  _ = (client, completion)
}

/// The application's own.
private final class Vault: Sendable {
  static let shared = Vault()

  func key(replacing refused: Secret?) async throws -> Secret? { nil }
}
