/// The headers that prove who calls.
public struct CredentialHeaders: Sendable, Hashable {
  var fields: HTTPHeaders

  /// None.
  public init() {
    fields = HTTPHeaders()
  }

  /// One that carries a secret: it is masked wherever the request is shown.
  public init(_ name: String, _ value: Secret) {
    self.init()
    append(name, value)
  }

  /// Adds a header that carries a secret.
  public mutating func append(_ name: String, _ value: Secret) {
    fields.append(HTTPHeaders.Field(name: name, value: value.reveal(), isSecret: true))
  }

  /// Adds one that may be shown, such as a date that was signed with the rest.
  public mutating func append(_ name: String, plain value: String) {
    fields.append(HTTPHeaders.Field(name: name, value: value))
  }
}

/// What is about to be sent, for whoever signs it.
public struct RequestToSign: Sendable, Hashable {
  /// `GET`, `POST`, …
  public var method: String

  /// Absolute.
  public var url: String

  /// The exact bytes; empty: no body.
  public var body: [UInt8]

  public init(method: String, url: String, body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.body = body
  }
}
