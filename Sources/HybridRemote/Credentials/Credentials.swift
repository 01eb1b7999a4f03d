internal import HybridCore

/// Where a gateway's key comes from. Asked again for every try, so that a new key counts at once.
public struct Credentials: Sendable {
  enum Source: Sendable {
    case none
    case fixed(Secret)
    case file(String)
    case provider(@Sendable () async throws -> Secret?)
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

  /// Asks the application. nil: there is no key.
  ///
  /// - Parameter name: what the source is called in plans and errors.
  public static func provider(
    name: String, header: Header = .bearer, _ key: @escaping @Sendable () async throws -> Secret?
  ) -> Credentials {
    Credentials(source: .provider(key), header: header, name: name)
  }
}

extension Credentials {
  /// The header to send; nil where no key is needed.
  ///
  /// - Throws: `noCredentials` where the source yields nothing, `cancelled` where the provider ended
  ///   so, `invalidConfiguration` for a key with a control character inside.
  func headers() async throws(HybridError) -> HTTPHeaders {
    guard let key = try await key() else { return HTTPHeaders() }
    let text = HeaderRules.trimmed(key.reveal())
    guard !text.isEmpty else {
      throw .noCredentials(name, "yields an empty key", nextStep: "Put the gateway's key there")
    }
    let field =
      switch header {
      case .bearer: HTTPHeaders.Field(name: "Authorization", value: "Bearer \(text)")
      case .named(let name): HTTPHeaders.Field(name: name, value: text)
      }
    return try HeaderRules.checked([field.name: field.value])
  }

  private func key() async throws(HybridError) -> Secret? {
    switch source {
    case .none: return nil
    case .fixed(let key): return key
    case .file(let path): return try KeyFile.read(path)
    case .provider(let provider):
      do {
        guard let key = try await provider() else {
          throw HybridError.noCredentials(
            name, "yields no key", nextStep: "Put the gateway's key there")
        }
        return key
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
  }

  /// True where the source is the application's own code.
  var mayWait: Bool {
    if case .provider = source { true } else { false }
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
    case .provider: return .present
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
