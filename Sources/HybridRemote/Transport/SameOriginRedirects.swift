internal import HybridCore

/// Follows a redirect to the same scheme, host and port; hands every other one back.
///
/// Only 307 and 308: they alone keep the method and the body. At most ``limit`` in one exchange, all
/// within its total limit.
struct SameOriginRedirects: Transport {
  static let limit = 3

  var base: any Transport
  var time: any TimeSource

  func send(_ request: TransportRequest) async throws(HybridError) -> TransportResponse {
    var request = request
    let begun = time.now()
    let total = request.limits.total
    var followed = 0
    while true {
      let response = try await base.send(request)
      guard response.status == 307 || response.status == 308,
        let location = response.headers["Location"],
        let target = RedirectTarget(location, from: try HTTPURL(request.url)),
        let url = target.sameOriginURL
      else { return response }
      // Its end is not waited for: a page may come with it.
      response.body.finish()
      followed += 1
      guard followed <= Self.limit else {
        throw HybridError(
          .redirectRefused, "\(target.origin) redirected more than \(Self.limit) times",
          nextStep: "Give the gateway's final URL",
          details: ["origin": .string(target.origin), "target": .string(target.origin)],
          side: .remote, gateway: GatewayResponseInfo(status: response.status))
      }
      request.url = url
      if let total { request.limits.total = max(.zero, total - (time.now() - begun)) }
    }
  }
}

/// Where a redirect leads.
struct RedirectTarget: Hashable {
  /// Scheme, host and port. Without user-info, path and query, which may hold anything.
  var origin: String

  /// nil where it leads elsewhere, or has user-info, a query or a fragment: then it is not followed.
  var sameOriginURL: String?

  /// - Parameter location: absolute, or relative to the URL that was asked for.
  /// - Returns: nil for what is no http or https URL.
  init?(_ location: String, from url: HTTPURL) {
    let text = HeaderRules.trimmed(location)
    guard let absolute = Self.absolute(text, from: url) else { return nil }
    if let target = try? HTTPURL(absolute) {
      origin = target.origin
      sameOriginURL = target.origin == url.origin ? absolute : nil
      return
    }
    // Not to be followed, and yet to be named.
    guard let stripped = Self.withoutSecrets(absolute), let target = try? HTTPURL(stripped) else {
      return nil
    }
    origin = target.origin
  }

  private static func absolute(_ text: String, from url: HTTPURL) -> String? {
    if text.isEmpty { return nil }
    if text.hasPrefix("//") { return "\(url.isSecure ? "https" : "http"):\(text)" }
    if text.hasPrefix("/") { return url.origin + text }
    // A colon before the first slash belongs to a scheme.
    let head = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if head.contains(":") { return text }
    let folder = url.path.lastIndex(of: "/").map { url.path[...$0] } ?? "/"
    return url.origin + folder + text
  }

  private static func withoutSecrets(_ absolute: String) -> String? {
    guard let separator = absolute.firstRange(of: "://") else { return nil }
    let authority = absolute[separator.upperBound...].prefix {
      $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\"
    }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(absolute[..<separator.upperBound]) + String(host ?? authority)
  }
}
