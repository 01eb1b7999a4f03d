import HybridCore
import Testing

@testable import HybridRemote

@Suite(.timeLimit(.minutes(10)))
struct CurlLibraryTests {
  @Test(arguments: [0x07_1d00, 0x07_4f01, 0x07_5000, 0x07_5601] as [UInt32])
  func `an old libcurl is refused before anything is sent`(number: UInt32) async throws {
    let transport = CurlTransport(
      loop: CurlLoop(options: .system, startThread: { _ in Issue.record("it was started") }),
      library: CurlLibrary(number: number, hasTLS: true))
    let error = await #expect(throws: HybridError.self) {
      try await transport.send(TransportRequest(method: "GET", url: "http://127.0.0.1:1"))
    }
    let told = try #require(error)
    #expect(told.code == .internal)
    #expect(told.nextStep == "Install libcurl 7.87.0 or later")
    #expect(told.message.contains("libcurl 7."))
    // The machine's fault and not the request's: the other side may take over.
    #expect(FailureTable.standard.row(for: told.code).fallback == .reported)
  }

  @Test func `one without TLS speaks http alone`() {
    let library = CurlLibrary(number: CurlLibrary.oldest, hasTLS: false)
    #expect(library.refusal(isSecure: false) == nil)
    #expect(library.refusal(isSecure: true)?.message.contains("without TLS") == true)
  }

  @Test(arguments: [0x07_5700, 0x07_5801, 0x08_0000] as [UInt32])
  func `newer ones serve`(number: UInt32) {
    #expect(CurlLibrary(number: number, hasTLS: true).refusal(isSecure: true) == nil)
  }

  @Test func `the one that runs serves`() {
    #expect(CurlLibrary.running.refusal(isSecure: true) == nil)
  }
}
