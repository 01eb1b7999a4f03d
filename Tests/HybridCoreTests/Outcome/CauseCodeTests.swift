import HybridCore
import Testing

@Suite struct CauseCodeTests {
  @Test(arguments: [
    ErrorCode.interrupted, .breakerOpen, .noSide, .localRequired, .remoteUnavailable,
  ])
  func `a wrapper's cause stands in its details`(code: ErrorCode) {
    #expect(HybridError(code, "", details: ["code": "timeout.idle"]).causeCode == .timeoutIdle)
    #expect(HybridError(code, "").causeCode == code)
  }

  /// A failure table's row, a fallback and an exit code follow from the cause: a word in the details
  /// of an error that wraps nothing must not change them.
  @Test(arguments: [
    ErrorCode.deadlineExceeded, .cancelled, .server, .timeoutTotal, .internal, .invalidRequest,
    ErrorCode(rawValue: "unheardOf"),
  ])
  func `any other error is its own cause`(code: ErrorCode) {
    #expect(HybridError(code, "", details: ["code": "timeout.total"]).causeCode == code)
  }
}
