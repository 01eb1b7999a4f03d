import Foundation
import HybridCore
import HybridRouting
import Testing

struct RoutingPolicyCodableTests {
  let decoder = JSONFileDecoder(name: "policy.json")

  @Test func `an empty object is the default policy`() throws {
    #expect(try decoder.decode(RoutingPolicy.self, from: "{}") == RoutingPolicy())
  }

  @Test func `every field can be set, and durations are seconds`() throws {
    let text = """
      {
        "preference": "preferRemote", "localStandIns": ["gpt-4o-mini"],
        "reservedOutputTokens": 64, "fallbackOnFailure": false, "fallbackOnRefusal": true,
        "fallbackOnTLSFailure": true, "tagsAllowedRemote": ["personal", "mine"],
        "limits": { "connect": 0.5, "firstByte": 1, "idle": 2.25, "total": 3 },
        "patience": 0.75, "maxLocalWait": 4,
        "failures": {
          "credentials": { "fallback": "never", "coolDown": "long" },
          "rateLimit": { "codes": ["overloaded"] }
        }
      }
      """
    let policy = try decoder.decode(RoutingPolicy.self, from: text)
    var failures = FailureTable.standard
    failures[.credentials].fallback = .never
    failures[.credentials].coolDown = .long
    failures.move(.overloaded, to: .rateLimit)
    #expect(
      policy
        == RoutingPolicy(
          preference: .preferRemote, localStandIns: ["gpt-4o-mini"], reservedOutputTokens: 64,
          fallbackOnFailure: false, fallbackOnRefusal: true, fallbackOnTLSFailure: true,
          tagsAllowedRemote: [.personal, SensitivityTag(rawValue: "mine")],
          limits: RoutingPolicy.GatewayLimits(
            connect: .milliseconds(500), firstByte: .seconds(1), idle: .milliseconds(2250),
            total: .seconds(3)),
          patience: .milliseconds(750), maxLocalWait: .seconds(4), failures: failures))

    // The same through a decoder of another make, and there and back.
    let data = try JSONEncoder().encode(policy)
    #expect(try JSONDecoder().decode(RoutingPolicy.self, from: data) == policy)
    #expect(try decoder.decode(RoutingPolicy.self, from: Array(data)) == policy)
  }

  @Test func `the default policy survives there and back`() throws {
    let data = try JSONEncoder().encode(RoutingPolicy())
    #expect(try decoder.decode(RoutingPolicy.self, from: Array(data)) == RoutingPolicy())
  }

  @Test(arguments: [
    (#"{"preferense": "localOnly"}"#, "preferense", #""preference""#),
    (#"{"preference": "local"}"#, "preference", "expected one of"),
    (#"{"limits": {"connnect": 1}}"#, "limits.connnect", #""connect""#),
    (#"{"limits": {"idle": -1}}"#, "limits.idle", "must be seconds"),
    (#"{"patience": 1e300}"#, "patience", "must be seconds"),
    (#"{"patience": "2s"}"#, "patience", "expected a number"),
    (#"{"reservedOutputTokens": -1}"#, "reservedOutputTokens", "must not be negative"),
    (#"{"reservedOutputTokens": 1.5}"#, "reservedOutputTokens", "expected a whole number"),
    (#"{"tagsAllowedRemote": [1]}"#, "tagsAllowedRemote[0]", "expected a text"),
    (#"{"fallbackOnFailure": null}"#, "fallbackOnFailure", "true or false"),
    (#"{"failures": {"credential": {}}}"#, "failures.credential", #""credentials""#),
    (#"{"failures": {"tls": {"retry": "twice"}}}"#, "failures.tls.retry", "expected one of"),
    (#"{"failures": {"tls": {"summary": "x"}}}"#, "failures.tls.summary", "unknown field"),
  ])
  func `a field that cannot be used is named with its place`(
    text: String, path: String, words: String
  ) {
    let error = #expect(throws: HybridError.self) {
      try decoder.decode(RoutingPolicy.self, from: text)
    }
    #expect(error?.code == .invalidFile)
    #expect(error?.details["path"] == .string(path))
    #expect(error?.details["line"] == 1)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `connecting may take longer where no local side could take over`() {
    let limits = RoutingPolicy.GatewayLimits()
    #expect(limits.timeLimits(hasLocalSide: true).connect == .milliseconds(1500))
    #expect(limits.timeLimits(hasLocalSide: false) == TimeLimits())
    let set = RoutingPolicy.GatewayLimits(connect: .seconds(9), idle: .seconds(8))
    #expect(
      set.timeLimits(hasLocalSide: true) == TimeLimits(connect: .seconds(9), idle: .seconds(8)))
  }
}
