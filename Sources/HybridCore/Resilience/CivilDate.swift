/// A date of the Gregorian calendar, UTC, with the seconds since its midnight.
struct CivilDate: Comparable {
  var year: Int
  var month: Int
  var day: Int
  /// 0…86,400: a leap second is the next day's first.
  var time: Int

  init(year: Int, month: Int, day: Int, time: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.time = time
  }

  /// Seconds before year 1 or after year 9999 are brought inside.
  init(secondsSince1970 seconds: Double) {
    let seconds = Int(min(max(seconds, -62_135_596_800), 253_402_300_799).rounded(.down))
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    time = seconds - days * 86_400
    // Counts from 1 March of year 0, so that the leap day is a year's last, in cycles of 400 years,
    // which all have the same 146,097 days.
    let count = days + 719_468
    let cycle = count / 146_097
    let dayOfCycle = count % 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  }

  var isValid: Bool {
    (1...9999).contains(year) && (1...12).contains(month) && day >= 1 && day <= daysInMonth
  }

  var secondsSince1970: Int {
    let years = month <= 2 ? year - 1 : year
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let days = 365 * years + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    return days * 86_400 + time
  }

  private var daysInMonth: Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day, left.time) < (right.year, right.month, right.day, right.time)
  }
}
