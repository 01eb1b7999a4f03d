import HybridCore
import HybridLocal
import HybridRouting
import Testing

@testable import hybrid

@Suite struct ExitCodeTests {
  @Test(
    arguments: [
      (ErrorCode.usage, 64),
      (.invalidRequest, 65), (.invalidFile, 65), (.invalidText, 65), (.contextTooLong, 65),
      (.contextLength, 65), (.payloadTooLarge, 65), (.templateRejected, 65),
      (.modelNotFound, 69), (.modelFileInvalid, 69), (.modelUnsupported, 69),
      (.modelLoadFailed, 69),
      (.insufficientMemory, 69), (.insufficientDiskSpace, 69), (.unsupportedFeature, 69),
      (.notFound, 69), (.paymentRequired, 69),
      (.quotaExhausted, 69), (.server, 69), (.redirectRefused, 69), (.timeoutConnect, 69),
      (.timeoutFirstByte, 69), (.timeoutIdle, 69), (.timeoutTotal, 69), (.connectionDNS, 69),
      (.connectionRefused, 69), (.connectionUnreachable, 69), (.connectionReset, 69),
      (.connectionProxy, 69), (.tls, 69), (.badEventStream, 69), (.badJSON, 69), (.truncated, 69),
      (.tooLarge, 69), (.wrongContentType, 69), (.notHTTP, 69),
      (.modelLoading, 75), (.localBusy, 75), (.rateLimited, 75), (.overloaded, 75), (.conflict, 75),
      (.requestTimeout, 75), (.tooEarly, 75), (.breakerOpen, 75),
      (.noCredentials, 77), (.authentication, 77), (.permission, 77),
      (.invalidConfiguration, 78),
      (.deadlineExceeded, 124),
      (.cancelled, 130),
      (.outputClosed, 141),
      (.contentPolicy, 1), (.outputFailed, 1), (ErrorCode(rawValue: "somethingNew"), 1),
      (.decodeFailed, 70), (.engineLost, 70), (.internal, 70),
    ] as [(ErrorCode, Int32)])
  func `each error ends the process with its code`(code: ErrorCode, exitCode: Int32) {
    #expect(ExitCode(HybridError(code, "it failed")).rawValue == exitCode)
  }

  @Test(
    arguments: [
      (ErrorCode.interrupted, ErrorCode.connectionReset, 69), (.interrupted, .decodeFailed, 70),
      (.remoteUnavailable, .authentication, 77), (.remoteUnavailable, .rateLimited, 75),
      (.localRequired, .insufficientMemory, 69), (.noSide, ErrorCode(rawValue: "somethingNew"), 69),
    ] as [(ErrorCode, ErrorCode, Int32)])
  func `an error that wraps another ends as the cause does`(
    code: ErrorCode, cause: ErrorCode, exitCode: Int32
  ) {
    let error = HybridError(code, "it failed", details: ["code": .string(cause.rawValue)])
    #expect(ExitCode(error).rawValue == exitCode)
  }

  @Test(
    arguments: [
      (NoSideKind.preferenceConflict, 78), (.contextTooLong, 65), (.temporary, 75),
      (.unavailable, 69),
    ] as [(NoSideKind, Int32)])
  func `a plan without a side ends by its kind of dead end`(kind: NoSideKind, exitCode: Int32) {
    let error = HybridError(
      .noSide, "no side", details: ["code": "contextTooLong", "kind": .string(kind.rawValue)])
    #expect(ExitCode(error).rawValue == exitCode)
  }

  @Test func `every code of the failure table has an exit code and an explanation`() {
    let table = FailureTable.standard
    for code in table.rows.flatMap({ table.codes(of: $0.kind) }) {
      #expect(ExplainedCode.names.contains(code.rawValue))
      let wrappers: [ErrorCode] = [.noSide, .localRequired, .remoteUnavailable, .interrupted]
      #expect(ExitCode.table[code] != nil || wrappers.contains(code), "\(code.rawValue)")
    }
  }

  @Test func `the help lists every exit code that an error can have`() {
    let listed = Set(ExitCode.meanings.map(\.code))
    #expect(listed.isSuperset(of: ExitCode.table.values))
  }
}
