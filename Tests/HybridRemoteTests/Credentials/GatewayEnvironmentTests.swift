import Foundation
import HybridCore
import HybridRemote
import Testing

/// Keys that systemd gives a service, and what else the environment names.
@Suite struct GatewayEnvironmentTests {
  private func folder(_ files: [String: String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "credentials-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, key) in files { try Data(key.utf8).write(to: folder.appending(path: name)) }
    return folder.path()
  }

  @Test(
    arguments: [
      // URL, files in systemd's folder, other variables, the key's source
      ("https://a.test/v1", ["hybrid_gateway_key"], [:], "systemd credential hybrid_gateway_key"),
      ("https://a.test/v1", ["openai_api_key"], [:], "none"),
      (
        "https://api.openai.com/v1", ["openai_api_key"], ["OPENAI_API_KEY": "k"],
        "systemd credential openai_api_key"
      ),
      (
        "https://api.openai.com/v1", ["openai_api_key", "hybrid_gateway_key"], [:],
        "systemd credential hybrid_gateway_key"
      ),
      ("https://a.test/v1", ["hybrid_gateway_key"], ["HYBRID_KEY_FILE": "/k"], "/k"),
      ("https://api.openai.com/v1", [], ["OPENAI_API_KEY": "k"], "OPENAI_API_KEY"),
      ("https://a.test/v1", [], [:], "none"),
    ] as [(String, [String], [String: String], String)])
  func `systemd's credentials`(
    url: String, files: [String], others: [String: String], source: String
  ) throws {
    var variables = others
    variables["CREDENTIALS_DIRECTORY"] = try folder(
      Dictionary(uniqueKeysWithValues: files.map { ($0, "key of \($0)") }))
    let environment = GatewayEnvironment(
      baseURL: url, environment: { [variables] in variables[$0] })
    #expect(environment.credentials.name == source)
  }

  @Test func `a credential of systemd's is read from its folder`() async throws {
    let folder = try folder(["gateway": " k1\n"])
    let transport = ClosureTransport { _, _ in .scripted(stream(text("a"), "[DONE]")) }
    let client = try GatewayClient.scripted(
      transport,
      credentials: .systemd("gateway") { $0 == "CREDENTIALS_DIRECTORY" ? folder : nil })
    #expect(await Collected.run(client).collected.text == "a")
    #expect(transport.requests.first?.headers["Authorization"] == "Bearer k1")
  }

  @Test(
    arguments: [
      ("gateway", nil, "systemd gave this process no credentials"),
      ("../gateway", "/run", "is no credential's name"), ("", "/run", "is no credential's name"),
      ("gateway\0x", "/run", "is no credential's name"), ("..", "/run", "is no credential's name"),
      ("gateway", "/nonexistent", "does not exist"),
    ] as [(String, String?, String)])
  func `a credential that is not there says why`(
    name: String, directory: String?, words: String
  ) async throws {
    let transport = ClosureTransport { _, _ in .scripted("") }
    let client = try GatewayClient.scripted(
      transport, credentials: .systemd(name) { _ in directory })
    let (result, failure) = await Collected.run(client)
    #expect(result.error == .noCredentials)
    #expect(failure?.message.contains(words) == true)
    #expect(await client.status(model: nil).credentials != .present)
    #expect(transport.requests.isEmpty)
  }

  @Test func `organisation and project go to OpenAI and the gateway named for it alone`() {
    let variables = [
      "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "proj", "OPENAI_BASE_URL": "https://a.test/v1",
    ]
    for (url, isSent) in [
      ("https://api.openai.com/v1", true), (nil, true), ("https://b.test/v1", false),
    ] {
      let environment = GatewayEnvironment(baseURL: url, environment: { variables[$0] })
      #expect(environment.headers["OpenAI-Organization"] == (isSent ? "org" : nil))
      #expect(environment.headers["OpenAI-Project"] == (isSent ? "proj" : nil))
    }
  }

  @Test func `a client is made of the environment, and the options' headers come first`()
    async throws
  {
    let transport = ClosureTransport { _, _ in .scripted(stream(text("a"), "[DONE]")) }
    var options = GatewayOptions()
    options.transport = transport
    options.headers = ["openai-project": "mine"]
    let variables = [
      "OPENAI_API_KEY": "k", "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "proj",
      "HYBRID_GATEWAY": "https://api.openai.com/v1/", "HYBRID_GATEWAY_MODEL": "m",
    ]
    let client = try GatewayClient(
      environment: GatewayEnvironment(environment: { variables[$0] }), options: options)
    #expect(await Collected.run(client).collected.text == "a")
    let request = try #require(transport.requests.first)
    #expect(request.url == "https://api.openai.com/v1/chat/completions")
    #expect(request.headers["Authorization"] == "Bearer k")
    #expect(request.headers["OpenAI-Organization"] == "org")
    #expect(request.headers.all("OpenAI-Project") == ["mine"])
    let none = #expect(throws: HybridError.self) {
      try GatewayClient(environment: GatewayEnvironment(environment: { _ in nil }))
    }
    #expect(none?.code == .invalidConfiguration)
  }
}
