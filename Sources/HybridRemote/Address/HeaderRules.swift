internal import HybridCore

/// What may be sent as a header.
enum HeaderRules {
  /// Fields that belong to the connection or frame the body: set by the transport alone.
  private static let forbidden: Set<String> = [
    "content-length", "transfer-encoding", "host", "connection", "keep-alive", "proxy-connection",
    "upgrade", "te", "trailer", "expect", "accept-encoding",
  ]

  /// - Returns: the field with its value's outer white space removed.
  /// - Throws: `invalidConfiguration`, naming the field and never its value.
  static func checked(_ field: HTTPHeaders.Field) throws(HybridError) -> HTTPHeaders.Field {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
      throw HybridError(
        .invalidConfiguration,
        "a header's name is not a token of letters, digits and -_.!#$%&'*+^`|~",
        nextStep: "Correct the header's name", side: .remote)
    }
    guard !forbidden.contains(field.name.lowercased()) else {
      throw HybridError(
        .invalidConfiguration,
        "the header \(field.name) cannot be set: it belongs to the connection",
        nextStep: "Leave it out", side: .remote)
    }
    let value = trimmed(field.value)
    guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else {
      throw HybridError(
        .invalidConfiguration, "the header \(field.name) holds a control character",
        nextStep: "Take line breaks and the like out of its value", side: .remote)
    }
    return HTTPHeaders.Field(name: field.name, value: value, isSecret: field.isSecret)
  }

  static func checked(_ headers: HTTPHeaders) throws(HybridError) -> HTTPHeaders {
    var checked = HTTPHeaders()
    for field in headers.fields { checked.append(try Self.checked(field)) }
    return checked
  }

  /// Later headers replace earlier ones of their name, whatever the case: defaults, then the call's,
  /// then the credentials', then the protocol's.
  static func merged(_ layers: [HTTPHeaders]) -> HTTPHeaders {
    var merged = HTTPHeaders()
    for layer in layers {
      for field in layer.fields { merged[field.name] = nil }
      for field in layer.fields { merged.append(field) }
    }
    return merged
  }

  /// Spaces, tabs and line ends around a text.
  static func trimmed(_ text: String) -> String {
    let isOuter: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
    var bytes = Array(text.utf8)[...]
    bytes = bytes.drop(while: isOuter)
    while let last = bytes.last, isOuter(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// RFC 9110, section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Fields whose values let others act in someone's name.
  private static let secretNames: Set<String> = [
    "authorization", "proxy-authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie",
    "set-cookie",
  ]

  var holdsSecret: Bool { isSecret || Self.secretNames.contains(name.lowercased()) }

  public var description: String { "\(name): \(holdsSecret ? Secret.mask : value)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": holdsSecret ? Secret.mask : value])
  }
}
