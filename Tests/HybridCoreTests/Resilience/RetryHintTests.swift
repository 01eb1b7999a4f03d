import HybridCore
import Testing

@Suite struct RetryHintTests {
  static let numbers: [(text: String, seconds: Double?)] = [
    ("0", 0), ("1", 1), ("120", 120), ("007", 7), (" 5 ", 5), ("\t5", 5), ("1.5", 1.5),
    ("0.25", 0.25), ("99999999999999999999999999999999999", 1e9), ("", nil), (" ", nil),
    ("inf", nil), ("infinity", nil), ("nan", nil), ("0x10", nil), ("1e3", nil), ("+5", nil),
    ("-5", nil), ("5, 6", nil), ("5 6", nil), ("5s", nil), ("1.", nil), (".5", nil),
    ("1.2.3", nil), ("5;", nil), ("٥", nil), ("５", nil), ("5\u{A0}", nil), ("1_000", nil),
    ("5\n", nil), ("five", nil), ("1,5", nil),
  ]

  @Test(arguments: numbers)
  func `a number of seconds is ASCII digits and nothing else`(text: String, seconds: Double?) {
    #expect(
      RetryHint.delay(retryAfter: text, wallSeconds: 0) == seconds.map { .seconds($0) })
  }

  @Test(arguments: numbers)
  func `a number of milliseconds is read by the same rule`(text: String, number: Double?) {
    // To the next whole one; the longest number is past the longest hint.
    let expected = number.map {
      $0 < 1e9 ? Duration.milliseconds($0.rounded(.up)) : RetryHint.longest
    }
    #expect(
      RetryHint.delay(retryAfterMilliseconds: text, wallSeconds: 0) == expected)
  }

  @Test func `milliseconds come before seconds, and a bad hint before neither`() {
    func delay(_ milliseconds: String?, _ seconds: String?) -> Duration? {
      RetryHint.delay(
        retryAfterMilliseconds: milliseconds, retryAfter: seconds, wallSeconds: 0)
    }
    #expect(delay("1500", "9") == .milliseconds(1500))
    #expect(delay("soon", "9") == .seconds(9))
    #expect(delay("1500", "soon") == .milliseconds(1500))
    #expect(delay("soon", "later") == nil)
    #expect(delay(nil, nil) == nil)
  }

  /// 1994-11-06 08:49:37 UTC.
  static let moment = 784_111_777

  static let dates: [(text: String, seconds: Int?)] = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", moment), ("Sunday, 06-Nov-94 08:49:37 GMT", moment),
    ("Sun Nov  6 08:49:37 1994", moment), ("  Sun, 06 Nov 1994 08:49:37 GMT\t", moment),
    // The weekday need not be the date's own.
    ("Mon, 06 Nov 1994 08:49:37 GMT", moment), ("Monday, 06-Nov-94 08:49:37 GMT", moment),
    ("Sat Nov 16 08:49:37 1994", moment + 10 * 86_400),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
    ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800), ("Sat, 01 Jan 2000 00:00:00 GMT", 946_684_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
    ("Wed, 29 Feb 2023 00:00:00 GMT", nil), ("Thu, 29 Feb 1900 00:00:00 GMT", nil),
    ("Thu, 31 Apr 2025 00:00:00 GMT", nil), ("Thu, 00 Jan 2025 00:00:00 GMT", nil),
    ("Thu, 32 Jan 2025 00:00:00 GMT", nil), ("Thu, 01 Jan 0000 00:00:00 GMT", nil),
    ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:60:00 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:61 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 94 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
    ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 06 Nov 1994 08:49:37 +0000", nil),
    ("Sun, 06 Nov 1994 08:49:37 GMT;", nil), ("Sun, 06 Nov 1994 08:49:37 GMTx", nil),
    ("sun, 06 nov 1994 08:49:37 gmt", nil), ("Sun 06 Nov 1994 08:49:37 GMT", nil),
    ("Sun,06 Nov 1994 08:49:37 GMT", nil), ("Zun, 06 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nob 1994 08:49:37 GMT", nil), ("Sun, 06-Nov-1994 08:49:37 GMT", nil),
    ("Sun, 06-Nov-94 08:49:37 GMT", nil), ("Sunday, 06 Nov 1994 08:49:37 GMT", nil),
    ("Sunday Nov  6 08:49:37 1994", nil), ("Sun Nov 6 08:49:37 1994", nil),
    ("Sun Nov  6 08:49:37 1994 GMT", nil), ("Sun Nov  6 08:49:37 94", nil),
    ("1994-11-06T08:49:37Z", nil), ("06 Nov 1994 08:49:37 GMT", nil), ("Sun, ", nil), ("Sun", nil),
    ("Sun, ٠٦ Nov 1994 08:49:37 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
  ]

  @Test(arguments: dates)
  func `a date is read in the three forms of RFC 9110 and no other`(text: String, seconds: Int?) {
    #expect(HTTPDate.seconds(text, now: Double(Self.moment)) == seconds)
  }

  /// Two digits, the year of the present, and the year meant.
  @Test(arguments: [
    (94, 1994, 1994), (44, 1994, 2044), (45, 1994, 1945), (43, 1994, 2043), (0, 1994, 2000),
    (26, 2026, 2026), (25, 2026, 2025), (27, 2026, 2027), (75, 2026, 2075), (77, 2026, 1977),
    (99, 2026, 1999), (5, 2095, 2105), (50, 2000, 2050), (51, 2000, 1951), (70, 1970, 1970),
    (20, 1970, 2020), (21, 1970, 1921),
  ])
  func `a two-digit year over fifty ahead is past`(digits: Int, present: Int, year: Int) throws {
    let two = digits < 10 ? "0\(digits)" : "\(digits)"
    let now = try #require(
      HTTPDate.seconds("Sun, 15 Jun \(present) 00:00:00 GMT", now: 0))
    let expected = try #require(HTTPDate.seconds("Sun, 15 Jun \(year) 00:00:00 GMT", now: 0))
    #expect(
      HTTPDate.seconds("Sunday, 15-Jun-\(two) 00:00:00 GMT", now: Double(now)) == expected)
  }

  @Test func `fifty years are counted to the second`() throws {
    let now = try #require(HTTPDate.seconds("Sun, 15 Jun 2026 12:00:00 GMT", now: 0))
    let future = try #require(HTTPDate.seconds("Sun, 15 Jun 2076 12:00:00 GMT", now: 0))
    let past = try #require(HTTPDate.seconds("Sun, 15 Jun 1976 12:00:01 GMT", now: 0))
    #expect(HTTPDate.seconds("Monday, 15-Jun-76 12:00:00 GMT", now: Double(now)) == future)
    #expect(HTTPDate.seconds("Monday, 15-Jun-76 12:00:01 GMT", now: Double(now)) == past)
  }

  @Test(
    arguments: [
      // The response's own date is the base, whatever the clock here says.
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 0.0, 30.0),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:07 GMT", 784_111_000, 30),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 4e9, 30),
      // Without one, or with a bad one, the clock is.
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 784_111_747.5, 29.5),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "yesterday", 784_111_747, 30),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "30", 784_111_747, 30),
      // Passed.
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 784_111_778, 0),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 784_111_777, 0),
      // Never early, not even by rounding.
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 784_111_776.9996, 0.001),
      // Bounded.
      ("Fri, 31 Dec 9999 23:59:59 GMT", nil, 0, 1e9),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, .nan, 784_111_777),
    ] as [(String, String?, Double, Double)])
  func `a date's wait is measured from the response`(
    retryAfter: String, date: String?, wall: Double, seconds: Double
  ) {
    let delay = RetryHint.delay(retryAfter: retryAfter, date: date, wallSeconds: wall)
    #expect(delay == .seconds(seconds))
  }

  @Test(
    arguments: [
      ("true", true), (" TRUE ", true), ("false", false), ("False", false), ("1", nil), ("", nil),
      ("yes", nil), (nil, nil),
    ] as [(String?, Bool?)])
  func `x-should-retry is true, false or nothing`(value: String?, should: Bool?) {
    #expect(RetryHint.shouldRetry(value) == should)
  }
}
