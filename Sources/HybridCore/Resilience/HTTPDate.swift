/// Reads a date by RFC 9110, section 5.6.7, in its three forms:
///
///     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate, the form to be sent
///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850, obsolete
///     Sun Nov  6 08:49:37 1994           asctime, obsolete
///
/// Names are case-sensitive, as the RFC says. The day of the week must be one, but need not be the
/// date's own.
public enum HTTPDate {
  /// - Parameter now: seconds since 1970; decides the century of a two-digit year: "a timestamp that
  ///   appears to be more than 50 years in the future" is "the most recent year in the past that had
  ///   the same last two digits" (RFC 9110).
  /// - Returns: seconds since 1970, or nil for anything else. Second 60 is the next minute's first.
  public static func seconds(_ text: String, now: Double) -> Int? {
    var input = Input(Array(trimmed(text).utf8))
    guard let date = input.date(now: now) else { return nil }
    return date.secondsSince1970
  }

  static func trimmed(_ text: String) -> String {
    let isOuter: (UInt8) -> Bool = { $0 == .space || $0 == .tab }
    var bytes = Array(text.utf8)[...]
    bytes = bytes.drop(while: isOuter)
    while let last = bytes.last, isOuter(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads forward; the first thing that does not fit makes the whole nil.
  private struct Input {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func date(now: Double) -> CivilDate? {
      var date: CivilDate?
      // A long name ("Sunday, ") is tried before the short one that begins it.
      if word(of: longDays) != nil {
        date = skip(", ") ? rfc850(now: now) : nil
      } else if word(of: days) != nil {
        date = skip(", ") ? fixdate() : skip(" ") ? asctime() : nil
      }
      guard let date, index == bytes.count, date.isValid else { return nil }
      return date
    }

    private mutating func fixdate() -> CivilDate? {
      guard let day = number(2), skip(" "), let month = word(of: months), skip(" "),
        let year = number(4), skip(" "), let time = time(), skip(" GMT")
      else { return nil }
      return CivilDate(year: year, month: month + 1, day: day, time: time)
    }

    private mutating func rfc850(now: Double) -> CivilDate? {
      guard let day = number(2), skip("-"), let month = word(of: months), skip("-"),
        let shortYear = number(2), skip(" "), let time = time(), skip(" GMT")
      else { return nil }
      var date = CivilDate(year: shortYear, month: month + 1, day: day, time: time)
      var limit = CivilDate(secondsSince1970: now)
      limit.year += 50
      date.year += limit.year / 100 * 100
      if date > limit { date.year -= 100 }
      return date
    }

    private mutating func asctime() -> CivilDate? {
      guard let month = word(of: months), skip(" "),
        let day = skip(" ") ? number(1) : number(2), skip(" "), let time = time(), skip(" "),
        let year = number(4)
      else { return nil }
      return CivilDate(year: year, month: month + 1, day: day, time: time)
    }

    private mutating func time() -> Int? {
      guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60,
        skip(":"), let second = number(2), second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    private mutating func word(of list: [String]) -> Int? {
      list.firstIndex { skip($0) }
    }

    private mutating func skip(_ text: String) -> Bool {
      guard bytes[index...].starts(with: text.utf8) else { return false }
      index += text.utf8.count
      return true
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard index + digits <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[index..<index + digits] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      index += digits
      return value
    }
  }
}
