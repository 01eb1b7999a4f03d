internal import HybridCore

/// An absolute http or https URL, taken apart once.
///
/// Stricter than the RFCs: what two readers could understand differently (user-info, backslashes,
/// control characters, percent signs in the host) is refused.
struct HTTPURL: Sendable, Hashable {
  var isSecure: Bool
  /// Lower case; an IPv6 address keeps its brackets.
  var host: String
  var port: Int
  /// From the first slash on, without a query; empty where there is none.
  var path: String
  /// The address, where the host is one.
  var address: IPAddress?

  /// Scheme, host and port, the port only where it is not the scheme's own.
  var origin: String {
    let isDefault = port == (isSecure ? 443 : 80)
    return "\(isSecure ? "https" : "http")://\(host)\(isDefault ? "" : ":\(port)")"
  }

  /// True where every packet stays on this machine.
  var isLoopback: Bool {
    if let address { return address.isLoopback }
    let name = name
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// The host without the dot that may end a full domain name.
  var name: String {
    host.hasSuffix(".") ? String(host.dropLast()) : host
  }
}

extension HTTPURL {
  /// - Throws: `invalidConfiguration`, saying what is wrong and never showing user-info or a query.
  init(_ text: String) throws(HybridError) {
    if let byte = text.utf8.first(where: { $0 <= 0x20 || $0 == 0x7f || $0 >= 0x80 || $0 == 0x5c }) {
      throw .badURL(
        "holds the byte \(byte), which no URL has",
        nextStep: "Write other characters in percent form and a host in its xn-- form")
    }
    guard let separator = text.firstRange(of: "://") else {
      throw .badURL("has no scheme", nextStep: "Start it with https://")
    }
    switch text[..<separator.lowerBound].lowercased() {
    case "https": isSecure = true
    case "http": isSecure = false
    case let scheme:
      throw .badURL(
        "has the scheme \(scheme.prefix(16))", nextStep: "Only http and https can be used")
    }
    let rest = text[separator.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let tail = rest[authority.endIndex...]
    if authority.contains("@") {
      throw .badURL("holds user-info", nextStep: "Give the key as credentials")
    }
    if tail.contains("#") {
      throw .badURL("has a fragment", nextStep: "Leave out everything from # on")
    }
    if tail.contains("?") {
      throw .badURL(
        "has a query", nextStep: "Leave out everything from ? on; a key goes into the credentials")
    }
    path = String(tail)
    let (hostText, portText) = try Self.split(authority)
    (host, address) = try Self.host(hostText)
    guard let portText else {
      port = isSecure ? 443 : 80
      return
    }
    guard portText.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(portText),
      (1...65_535).contains(number)
    else {
      throw .badURL("has a port that is not a number from 1 to 65535", nextStep: "Correct the port")
    }
    port = number
  }

  private static func split(_ authority: Substring) throws(HybridError) -> (Substring, Substring?) {
    let nameEnd: Substring.Index
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        throw .badURL("opens a bracket and never closes it", nextStep: "Correct the address")
      }
      nameEnd = authority.index(after: close)
    } else {
      nameEnd = authority.firstIndex(of: ":") ?? authority.endIndex
    }
    let port = authority[nameEnd...]
    if port.isEmpty { return (authority[..<nameEnd], nil) }
    guard port.hasPrefix(":") else {
      throw .badURL("has text after its bracket", nextStep: "Correct the address")
    }
    return (authority[..<nameEnd], port.dropFirst())
  }

  private static func host(_ text: Substring) throws(HybridError) -> (String, IPAddress?) {
    let host = text.lowercased()
    if host.hasPrefix("[") {
      guard let address = IPAddress(v6: host.dropFirst().dropLast()) else {
        throw .badURL(
          "has a host that is not an IPv6 address", nextStep: "Correct the address in brackets")
      }
      return (host, address)
    }
    let isName = host.utf8.allSatisfy {
      (48...57).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 46 || $0 == 95
    }
    guard !host.isEmpty, isName, !host.hasPrefix("."), !host.contains(".."), host.utf8.count <= 255
    else {
      throw .badURL("has no host that could be looked up", nextStep: "Correct the host")
    }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    guard IPAddress.looksLikeV4(name) else { return (host, nil) }
    guard let address = IPAddress(v4: name) else {
      throw .badURL(
        "has a host that is neither a name nor an IPv4 address", nextStep: "Correct the host")
    }
    return (host, address)
  }
}

extension HybridError {
  static func badURL(_ what: String, nextStep: String) -> HybridError {
    HybridError(
      .invalidConfiguration, "the gateway's URL \(what)", nextStep: nextStep, side: .remote)
  }
}
