/// A point in civil time, as a template's `strftime_now` tells it.
package struct TemplateDate: Equatable, Sendable {
  package var year: Int
  /// 1…12
  package var month: Int
  /// 1…31
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The UTC time of a count of seconds since 1970.
  package init(unixSeconds: Int) {
    let days = Int((Double(unixSeconds) / 86_400).rounded(.down))
    let rest = unixSeconds - days * 86_400
    // Days since 0000-03-01, so that a leap day ends its year; 400 years have 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: rest / 3_600,
      minute: rest / 60 % 60, second: rest % 60)
  }

  /// Days since the year's first, from 0.
  private var dayOfYear: Int {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let index = min(max(month, 1), 12) - 1
    return before[index] + day - 1 + (isLeap && month > 2 ? 1 : 0)
  }

  /// 0 is Sunday.
  private var weekday: Int {
    let past = year - 1
    let days = past * 365 + past / 4 - past / 100 + past / 400 + dayOfYear
    return ((days + 1) % 7 + 7) % 7
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// `strftime` in the C locale; nil for a directive that is not supported.
  package func formatted(_ format: String) -> String? {
    var result = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      var isUnpadded = false
      if rest.first == "-" {
        isUnpadded = true
        rest.removeFirst()
      }
      guard let directive = rest.popFirst(), let text = text(of: directive, isUnpadded) else {
        return nil
      }
      result += text
    }
    return result
  }

  private func text(of directive: Character, _ isUnpadded: Bool) -> String? {
    func padded(_ value: Int, _ width: Int = 2, with fill: String = "0") -> String {
      let digits = String(value)
      if isUnpadded { return digits }
      return String(repeating: fill, count: max(0, width - digits.utf8.count)) + digits
    }
    let monthName = Self.months[min(max(month, 1), 12) - 1]
    return switch directive {
    case "%": "%"
    case "Y": String(year)
    case "C": padded(year / 100)
    case "y": padded(year % 100)
    case "m": padded(month)
    case "B": monthName
    case "b", "h": String(monthName.prefix(3))
    case "d": padded(day)
    case "e": padded(day, with: " ")
    case "j": padded(dayOfYear + 1, 3)
    case "A": Self.weekdays[weekday]
    case "a": String(Self.weekdays[weekday].prefix(3))
    case "w": String(weekday)
    case "u": String(weekday == 0 ? 7 : weekday)
    case "H": padded(hour)
    case "I": padded((hour + 11) % 12 + 1)
    case "M": padded(minute)
    case "S": padded(second)
    case "p": hour < 12 ? "AM" : "PM"
    case "F": formatted("%Y-%m-%d")
    case "T", "X": formatted("%H:%M:%S")
    case "R": formatted("%H:%M")
    case "D", "x": formatted("%m/%d/%y")
    case "c": formatted("%a %b %e %H:%M:%S %Y")
    case "n": "\n"
    case "t": "\t"
    // A time without a zone, as the tooling passes it.
    case "Z", "z": ""
    default: nil
    }
  }
}
