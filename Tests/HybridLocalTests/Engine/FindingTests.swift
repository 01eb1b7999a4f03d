import HybridCore
import HybridLocal
import Testing

struct FindingTests {
  static func failure(_ code: ErrorCode) -> Result<Int, HybridError> {
    .failure(HybridError(code, "failed"))
  }

  static func at(_ seconds: Int) -> Moment { .origin + .seconds(seconds) }

  @Test func `nothing is known at first, and what was found is known for good`() throws {
    var finding = Finding<Int>()
    #expect(finding.known(at: .origin) == nil)
    finding.record(.success(1), at: .origin)
    #expect(try finding.known(at: Self.at(1_000_000))?.get() == 1)
    #expect(finding.retry == nil)
  }

  @Test(arguments: [
    ErrorCode.modelFileInvalid, .modelUnsupported, .modelNotFound, .templateRejected,
  ])
  func `what is wrong with the file itself is known for good`(code: ErrorCode) {
    var finding = Finding<Int>()
    finding.record(Self.failure(code), at: .origin)
    #expect(finding.known(at: Self.at(1_000_000)) != nil)
    #expect(finding.retry == nil)
  }

  @Test func `what may pass is asked again, ever later, and anew after it was well`() {
    var finding = Finding<Int>()
    finding.record(Self.failure(.modelLoadFailed), at: .origin)
    #expect(finding.retry == Self.at(1))
    #expect(finding.known(at: .origin) != nil)
    #expect(finding.known(at: Self.at(1)) == nil)
    finding.record(Self.failure(.modelLoadFailed), at: Self.at(1))
    #expect(finding.retry == Self.at(3))
    finding.record(.success(1), at: Self.at(3))
    finding.record(Self.failure(.modelLoadFailed), at: Self.at(4))
    #expect(finding.retry == Self.at(5))
  }
}
