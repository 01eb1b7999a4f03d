import Foundation
import HybridCore
import Testing

@Suite struct CivilDateTests {
  /// Foundation's calendar is another one by other people.
  @Test func `dates agree with Foundation's calendar over four thousand years`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      // From 1600, since Foundation counts by the Julian calendar before 1582, to 5600.
      let seconds = Int.random(in: -11_676_096_000..<114_550_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: date)
      func two(_ value: Int?) -> String {
        let text = String(value ?? 0)
        return text.count < 2 ? "0" + text : text
      }
      let text =
        "Sun, \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) "
        + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
      #expect(HTTPDate.seconds(text, now: 0) == seconds)
    }
  }
}
