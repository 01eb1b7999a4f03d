import Foundation
import HybridCore
import HybridRouting
import Testing

struct ExplanationTests {
  /// The codes as the source declares them, so that a new one without its words is noticed.
  static func declared(in file: String) throws -> [String] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/HybridCore/Outcome/\(file)")
    return try String(contentsOf: sources, encoding: .utf8)
      .matches(of: /static let `?\w+`? = \w+\(rawValue: "([\w.]+)"\)/).map { String($0.output.1) }
  }

  @Test func `every reason and every error that the source declares is explained`() throws {
    let reasons = try Self.declared(in: "Reason.swift")
    let errors = try Self.declared(in: "ErrorCode.swift")
    #expect(reasons.count >= 22)
    #expect(errors.count >= 48)
    for code in reasons + errors {
      let explanations = Explanation.of(code)
      #expect(explanations.count == 1, "\(code) has no explanation")
      #expect(explanations.first?.code == code)
      #expect(explanations.first?.handling.isEmpty == false)
      #expect(Explanation.codes.contains(code), "\(code) is in no list")
    }
    #expect(Set(Explanation.codes).count == Explanation.codes.count)
  }

  @Test(arguments: [
    (300, ["redirectRefused"]), (400, ["invalidRequest", "contextLength", "contentPolicy"]),
    (401, ["authentication"]), (402, ["paymentRequired"]), (403, ["permission"]),
    (404, ["notFound"]), (408, ["requestTimeout"]), (413, ["payloadTooLarge"]),
    (418, ["invalidRequest"]), (429, ["rateLimited", "quotaExhausted"]), (502, ["server"]),
    (503, ["overloaded"]), (529, ["overloaded"]), (200, []), (99, []), (-1, []), (1000, []),
  ])
  func `an HTTP status is explained by the codes that it may mean`(status: Int, codes: [String]) {
    #expect(Explanation.of(String(status)).map(\.code) == codes)
  }

  @Test func `what is unknown has no explanation, and a misspelt code has a nearest one`() {
    #expect(Explanation.of("nonsense").isEmpty)
    #expect(Explanation.of("").isEmpty)
    #expect(Explanation.nearest(to: "contextTolong") == "contextTooLong")
    #expect(Explanation.nearest(to: "timeout.firstbyte") == "timeout.firstByte")
    #expect(Explanation.nearest(to: "zzzzzzzz") == nil)
  }

  @Test func `the table's rows and the policy's flags are what is explained`() throws {
    let tls = try #require(Explanation.of("tls").first)
    #expect(
      tls.handling == [
        "it is not tried again on the same side",
        "the other side takes over only with fallbackOnTLSFailure, which is off",
        "it counts for the circuit breaker",
      ])
    var policy = RoutingPolicy(fallbackOnTLSFailure: true)
    policy.failures[.tls].countsForBreaker = false
    #expect(
      try #require(Explanation.of("tls", policy: policy).first).handling.dropFirst() == [
        "the other side takes over only with fallbackOnTLSFailure, which is on",
        "the circuit breaker ignores it",
      ])
    policy.fallbackOnFailure = false
    #expect(
      Explanation.of("connection.refused", policy: policy).first?.handling.contains(
        "the other side does not take over: fallbackOnFailure is off") == true)
  }

  @Test func `an explanation reads as a short text`() throws {
    let rateLimit = try #require(Explanation.of("429").first)
    #expect(
      rateLimit.description == """
        rateLimited: the gateway had too many requests for now (HTTP 429)
        The policy:
          - it is tried again on the same side if the wait that the gateway asks for fits 120 s, \
        the time left and the patience of 2.0 s
          - the other side takes over where it may
          - the circuit breaker ignores it
          - the gateway is left alone until the moment it names, or for a short time
        Next step: try again when the time it named is up
        """)
  }
}
