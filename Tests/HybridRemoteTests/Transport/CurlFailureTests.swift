import CHybridCurl
import HybridCore
import Testing

@testable import HybridRemote

struct CurlFailureTests {
  @Test func `an outcome that has no code of its own names libcurl's`() throws {
    let error = CurlFailure.error(
      HYBRID_CURL_OTHER, number: 27, url: try HTTPURL("https://gateway.test/v1"),
      text: "Out of memory", errno: 0, proxyStatus: 0)
    #expect(error.code == .internal)
    #expect(error.details["curlCode"]?.int == 27)
    #expect(error.details["curl"]?.string == "Out of memory")
  }
}
