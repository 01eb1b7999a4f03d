internal import HybridCore

/// Where a gateway's key comes from. Asked again for every try, so that a new key counts at once.
///
/// After a 401 the source is asked once more, and where it has another key by then, the call is made
/// once again with that.
public struct Credentials: Sendable {
  enum Source: Sendable {
    case none
    case fixed(Secret)
    case file(String)
    /// Yields nothing, and why.
    case absent(String)
    case provider(@Sendable () async throws -> Secret?)
    case refreshing(KeyRefresher)
    case signer(@Sendable (RequestToSign) async throws -> CredentialHeaders)
  }

  let source: Source

  /// The header that carries the key.
  public var header: Header

  /// What the source is called in plans and errors. Names no secret.
  public var name: String

  public enum Header: Sendable, Hashable {
    /// `Authorization: Bearer KEY`
    case bearer
    /// The key alone, under this name (`api-key`).
    case named(String)
  }

  /// No key.
  public static let none = Credentials(source: .none, header: .bearer, name: "none")

  /// A key at hand. Its outer white space is removed; a blank one counts as missing.
  public static func key(_ key: Secret, header: Header = .bearer) -> Credentials {
    Credentials(source: .fixed(key), header: header, name: "key")
  }

  /// A file that holds the key and nothing else; white space around it does no harm.
  public static func file(_ path: String, header: Header = .bearer) -> Credentials {
    Credentials(source: .file(path), header: header, name: path)
  }

  /// Asks the application, for each try. nil: there is no key.
  ///
  /// - Parameter name: what the source is called in plans and errors.
  public static func provider(
    name: String, header: Header = .bearer, _ key: @escaping @Sendable () async throws -> Secret?
  ) -> Credentials {
    Credentials(source: .provider(key), header: header, name: name)
  }

  /// Asks the application for a key that lasts: at first, and whenever the gateway answers 401.
  ///
  /// One caller asks for all who wait, and nobody's cancelling ends it: `key` must end, since all who
  /// come later wait for it too, each as long as its call may take. Copies of this value, and the
  /// clients that have one, share the key.
  ///
  /// - Parameters:
  ///   - name: what the source is called in plans and errors.
  ///   - key: given the key that the gateway refused, nil at first. nil: there is no key.
  public static func refreshing(
    name: String, header: Header = .bearer,
    _ key: @escaping @Sendable (_ refused: Secret?) async throws -> Secret?
  ) -> Credentials {
    Credentials(source: .refreshing(KeyRefresher(key)), header: header, name: name)
  }

  /// Asks the application for all headers that prove who calls, for each try and over what is sent.
  ///
  /// - Parameter name: what the source is called in plans and errors.
  public static func signed(
    name: String,
    _ headers: @escaping @Sendable (RequestToSign) async throws -> CredentialHeaders
  ) -> Credentials {
    Credentials(source: .signer(headers), header: .bearer, name: name)
  }
}

extension Credentials {
  /// The headers to send; none where no key is needed.
  ///
  /// - Parameter refused: what the gateway has just answered 401 to.
  /// - Throws: `noCredentials` where the source yields nothing, `cancelled` where the provider ended
  ///   so, `invalidConfiguration` for a key with a control character inside.
  func headers(
    for request: RequestToSign, refused: HTTPHeaders? = nil
  ) async throws(HybridError) -> HTTPHeaders {
    if case .signer(let signer) = source {
      let headers = try await asking { try await signer(request) }
      guard !headers.fields.fields.isEmpty else {
        throw .noCredentials(
          name, "yields no header", nextStep: "Return the headers that the gateway asks for")
      }
      return try HeaderRules.checked(headers.fields)
    }
    guard let key = try await key(refused: refused) else { return HTTPHeaders() }
    let text = HeaderRules.trimmed(key.reveal())
    guard !text.isEmpty else {
      throw .noCredentials(name, "yields an empty key", nextStep: "Put the gateway's key there")
    }
    var headers = HTTPHeaders()
    headers.append(field(text))
    return try HeaderRules.checked(headers)
  }

  private func field(_ key: String) -> HTTPHeaders.Field {
    switch header {
    case .bearer:
      HTTPHeaders.Field(name: "Authorization", value: "Bearer \(key)", isSecret: true)
    case .named(let name): HTTPHeaders.Field(name: name, value: key, isSecret: true)
    }
  }

  private func key(refused: HTTPHeaders?) async throws(HybridError) -> Secret? {
    switch source {
    case .none, .signer: return nil
    case .fixed(let key): return key
    case .file(let path): return try KeyFile.read(path)
    case .absent(let why):
      throw .noCredentials(name, why, nextStep: "Name another source of the key")
    case .provider(let provider): return try await some { try await provider() }
    case .refreshing(let refresher):
      return try await some {
        try await refresher.key(refused: refused.flatMap(key(in:)))
      }
    }
  }

  /// The key that these headers carry.
  private func key(in headers: HTTPHeaders) -> Secret? {
    switch header {
    case .bearer: headers["Authorization"].map { Secret(String($0.dropFirst("Bearer ".count))) }
    case .named(let name): headers[name].map { Secret($0) }
    }
  }

  private func some(
    _ key: () async throws -> Secret?
  ) async throws(HybridError) -> Secret {
    guard let key = try await asking(key) else {
      throw .noCredentials(name, "yields no key", nextStep: "Put the gateway's key there")
    }
    return key
  }

  /// Runs the application's own code.
  private func asking<Value>(
    _ source: () async throws -> Value
  ) async throws(HybridError) -> Value {
    do {
      return try await source()
    } catch let error as HybridError {
      throw error
    } catch is CancellationError {
      throw .cancelledByTask
    } catch {
      // The error's own text may hold anything.
      var failure = HybridError.noCredentials(
        name, "failed", nextStep: "Look at the error underlying this one")
      failure.underlying = error
      throw failure
    }
  }

  /// True where the source is the application's own code.
  var mayWait: Bool {
    switch source {
    case .none, .fixed, .file, .absent: false
    case .provider, .refreshing, .signer: true
    }
  }

  /// True where the headers are made for one URL and body.
  var signsRequests: Bool {
    if case .signer = source { true } else { false }
  }

  /// True where the source may have another key when it is asked again.
  var mayChange: Bool {
    switch source {
    case .none, .fixed, .absent: false
    case .file, .provider, .refreshing, .signer: true
    }
  }

  /// What can be said without asking a provider. Reads a key file.
  var status: GatewayStatus.Credentials {
    switch source {
    case .none: return .notNeeded
    case .fixed(let key):
      return HeaderRules.trimmed(key.reveal()).isEmpty ? .missing(source: name) : .present
    case .file(let path):
      let key = try? KeyFile.read(path)
      return key == nil ? .missing(source: name) : .present
    case .absent: return .missing(source: name)
    case .provider, .refreshing, .signer: return .present
    }
  }
}

extension HybridError {
  static func noCredentials(_ source: String, _ what: String, nextStep: String) -> HybridError {
    HybridError(
      .noCredentials, "the source of the gateway's key (\(source)) \(what)", nextStep: nextStep,
      details: ["source": .string(source)], side: .remote)
  }
}
