import HybridCore
import Testing

@Suite struct JSONNumberTests {
  static let whole: [(literal: String, value: Int?)] = [
    ("0", 0), ("-0", 0), ("-0.0", 0), ("0e99", 0), ("0.000e-5", 0), ("7", 7), ("7.0", 7),
    ("7.00e2", 700), ("1.5e1", 15), ("1500e-2", 15), ("-2.50e+1", -25), ("1e18", Int(1e18)),
    ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
    ("9223372036854775807", .max), ("9223372036854775807.0", .max),
    ("9.223372036854775807e18", .max), ("-9223372036854775808e0", .min),
    ("9223372036854775808", nil), ("9223372036854775808.0", nil), ("1e19", nil), ("1e400", nil),
    ("0.5", nil), ("15e-1", nil), ("1e-1", nil), ("1e-400", nil),
    ("10e9223372036854775807", nil), ("1e99999999999999999999", nil),
    ("1e-99999999999999999999", nil), ("0e99999999999999999999", 0), ("100e-2", 1),
  ]

  @Test(arguments: whole)
  func `a whole number is exact however it is written`(literal: String, value: Int?) throws {
    #expect(try JSONReader.wire.read(literal).int == value)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.1, "0.1"), (0x1p53, "9007199254740992"),
    (1e17, "1e+17"),
    (999_999_999_999_999.0, "999999999999999"), (1e-7, "1e-07"),
    (Double.leastNonzeroMagnitude, "5e-324"),
    (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
  ])
  func `a Double is written so that it reads back the same`(value: Double, literal: String) throws {
    #expect(JSONNumber(value)?.literal == literal)
    #expect(try JSONReader.wire.read(literal).double == value)
  }

  @Test func `infinities and NaN are no JSON numbers`() {
    #expect(JSONNumber(.infinity) == nil)
    #expect(JSONNumber(.nan) == nil)
    #expect(JSONValue.double(.nan) == .null)
  }

  @Test func `a literal beyond Double's range has no Double`() throws {
    #expect(try JSONReader.wire.read("1e400").double == nil)
    #expect(try JSONReader.wire.read("1e-400").double == 0)
  }
}
