import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// TLS against the system's `openssl s_server`, with certificates made for the purpose.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CurlTLSTests {
  private let shop: CertificateShop

  init() throws {
    shop = try CertificateShop()
  }

  private func options(
    trusting authority: String = "ca", _ change: (inout CurlTransport.Options) -> Void = { _ in }
  ) -> CurlTransport.Options {
    var options = CurlTransport.Options(certificates: shop.path("\(authority).pem"))
    change(&options)
    return options
  }

  private func get(_ peer: TLSPeer, _ options: CurlTransport.Options) async throws(HybridError)
    -> TransportResponse
  {
    try await CurlTransport(options: options).send(
      TransportRequest(
        method: "GET", url: peer.url,
        limits: TransportLimits(connect: .seconds(60), total: .seconds(120))))
  }

  /// What a whole client makes of a gateway there.
  private func failure(
    _ baseURL: String, _ connection: CurlTransport.Options, connect: Duration = .seconds(60)
  ) async throws -> HybridError {
    var options = GatewayOptions()
    options.connection = connection
    options.limits.connect = connect
    options.retries = RetryPolicy(
      transient: Backoff(base: .milliseconds(1), cap: .milliseconds(1), jitter: .full))
    let client = try GatewayClient(baseURL: baseURL, options: options)
    return try #require(
      await #expect(throws: HybridError.self) {
        try await client.chat.completions.create(ChatRequest(prompt: "Why?"))
      })
  }

  /// A gateway whose TLS is wrong in one way.
  enum Fault: String, CaseIterable {
    case expired, notYetValid, wrongName, unknownAuthority, selfSigned, oldVersion, notTLS
    case wrongPin, clientCertificate, untrustedClient

    var told: TLSFault {
      switch self {
      case .expired: .expired
      case .notYetValid: .notYetValid
      case .wrongName: .wrongName
      case .unknownAuthority: .unknownAuthority
      case .selfSigned: .selfSigned
      case .oldVersion: .version
      case .notTLS: .notTLS
      case .wrongPin: .wrongPin
      case .clientCertificate, .untrustedClient: .clientCertificate
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `each fault is told as what it is, and tried once`(fault: Fault) async throws {
    var connection = options()
    var extra: [String] = []
    switch fault {
    case .expired: try shop.certificate(for: "IP:127.0.0.1", start: -3)
    case .notYetValid: try shop.certificate(for: "IP:127.0.0.1", start: 3)
    case .wrongName: try shop.certificate(for: "DNS:elsewhere.test")
    case .selfSigned: try shop.selfSigned(for: "IP:127.0.0.1")
    default: try shop.certificate(for: "IP:127.0.0.1")
    }
    switch fault {
    case .unknownAuthority: connection = options(trusting: "other")
    case .oldVersion: extra = ["-tls1", "-cipher", "ALL:@SECLEVEL=0"]
    case .wrongPin: connection.pins = [try PublicKeyPin(shop.pin(of: "other"))]
    case .clientCertificate:
      extra = ["-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem"]
    case .untrustedClient:
      extra = ["-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem"]
      try shop.selfSigned("client", for: "DNS:client.test")
      connection.clientCertificate = ClientCertificate(
        certificate: shop.path("client.pem"), key: shop.path("client.key"))
    default: break
    }
    let peer = try TLSPeer(shop, extra)
    let plain = try LoopbackGateway(greeting: [.send("HTTP/1.1 400 Bad\r\n\r\n"), .stall]) { _ in []
    }
    let baseURL = fault == .notTLS ? "https://127.0.0.1:\(plain.port)/v1" : peer.baseURL
    let error = try await failure(baseURL, connection)
    #expect(error.code == .tls, "\(error) \(error.details)")
    #expect(error.tlsFault == fault.told, "\(error) \(error.details)")
    #expect(error.attempts.count == 1)
    #expect(error.nextStep != nil)
  }

  @Test func `a handshake that stalls or is cut is tried again`() async throws {
    let stalled = try LoopbackGateway(greeting: [.stall]) { _ in [] }
    let late = try await failure(
      "https://127.0.0.1:\(stalled.port)/v1", options(), connect: .milliseconds(100))
    #expect(late.code == .timeoutConnect)
    #expect(late.details["phase"]?.string == "handshake")
    #expect(late.message.contains("TLS handshake"))
    #expect(late.attempts.count == 3)

    // The beginning of a server's first record.
    let record = GatewayStep.send([0x16, 0x03, 0x03, 0x00, 0x7a, 0x02])
    for steps in [[GatewayStep.close], [.reset], [record, .close], [record, .reset]] {
      let cut = try LoopbackGateway(greeting: steps) { _ in [] }
      let error = try await failure("https://127.0.0.1:\(cut.port)/v1", options())
      #expect(error.code == .connectionReset, "\(steps): \(error) \(error.details)")
      let phase = error.details["phase"]?.string
      // A reset may be there before the client has seen that it is connected.
      #expect(
        phase == "handshake" || (phase == "connect" && steps.last == .reset),
        "\(steps): \(error.details)")
      #expect(error.attempts.count == 2)
    }
  }

  @Test func `a certificate of a trusted authority is taken`() async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    let response = try await get(TLSPeer(shop), options())
    #expect(response.status == 200)
    #expect(response.version == .http10)
    #expect(try await response.body.text() == "{}")
    let phases = response.phases
    #expect(phases.isReused == false)
    for phase in [phases.nameLookup, phases.connect, phases.tls, phases.firstByte] {
      #expect(try #require(phase) > .zero)
    }
  }

  @Test func `one that signed itself is taken where it is the one to trust`() async throws {
    try shop.selfSigned(for: "IP:127.0.0.1")
    #expect(try await get(TLSPeer(shop), options(trusting: "server")).status == 200)
  }

  @Test func `one right pin among others is enough`() async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    let peer = try TLSPeer(shop)
    let pins = [try PublicKeyPin(shop.pin(of: "other")), try PublicKeyPin(shop.pin(of: "server"))]
    #expect(try await get(peer, options { $0.pins = pins }).status == 200)
    // A pin takes the place of no other check.
    let error = await #expect(throws: HybridError.self) {
      try await get(peer, options(trusting: "other") { $0.pins = pins })
    }
    #expect(error?.tlsFault == .unknownAuthority)
  }

  @Test(arguments: TLSVersion.allCases)
  func `the oldest version is the one asked for`(minimum: TLSVersion) async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    let peer = try TLSPeer(shop, ["-tls1_2"])
    let connection = options { $0.minimumTLS = minimum }
    if minimum == .tls12 {
      #expect(try await get(peer, connection).status == 200)
    } else {
      let error = await #expect(throws: HybridError.self) { try await get(peer, connection) }
      #expect(error?.tlsFault == .version, "\(String(describing: error))")
      #expect(error?.message.contains("1.3") == true)
    }
  }

  @Test func `a client certificate is shown to a gateway that asks`() async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    try shop.certificate("client", for: "DNS:client.test")
    let peer = try TLSPeer(shop, ["-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem"])
    let client = ClientCertificate(
      certificate: shop.path("client.pem"), key: shop.path("client.key"))
    #expect(try await get(peer, options { $0.clientCertificate = client }).status == 200)
  }

  @Test(arguments: ["missing certificate", "missing key", "no certificate", "no key", "other key"])
  func `a client certificate that cannot be used is told by its file`(kind: String) async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    try shop.certificate("client", for: "DNS:client.test")
    try shop.write("noise", "no certificate\n")
    var client = ClientCertificate(
      certificate: shop.path("client.pem"), key: shop.path("client.key"))
    let file: String
    switch kind {
    case "missing certificate", "missing key": file = shop.path("absent")
    case "no certificate", "no key": file = shop.path("noise")
    default: file = shop.path("server.key")
    }
    if kind.hasSuffix("certificate") { client.certificate = file } else { client.key = file }
    let connection = options { [client] in $0.clientCertificate = client }
    let peer = try TLSPeer(shop)
    let error = await #expect(throws: HybridError.self) { try await get(peer, connection) }
    #expect(error?.code == .invalidConfiguration, "\(String(describing: error))")
    #expect(error?.message.contains(file) == true, "\(String(describing: error))")
    #expect(error?.details["path"]?.string == file)
    // A whole client says of an absent file before it is asked for anything.
    if kind.hasPrefix("missing") {
      var options = GatewayOptions()
      options.connection = connection
      let early = #expect(throws: HybridError.self) {
        try GatewayClient(baseURL: peer.baseURL, options: options)
      }
      #expect(early?.message.contains(file) == true)
    }
  }

  @Test func `a bundle that cannot be read says so`() async throws {
    try shop.certificate(for: "IP:127.0.0.1")
    let peer = try TLSPeer(shop)
    let error = await #expect(throws: HybridError.self) {
      try await get(peer, options(trusting: "absent"))
    }
    #expect(error?.code == .tls)
    #expect(error?.tlsFault == .authorities)
    #expect(error?.message.contains(shop.path("absent.pem")) == true)
    #expect(error?.nextStep?.contains("SSL_CERT_FILE") == true)
  }
}
