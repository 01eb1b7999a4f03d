import HybridLocal
import Testing

struct StopMatcherTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var stops: [String]
    var text: String
    var answer: String
    var isStopped = true
    var testDescription: String { "\(stops) in \(text)" }
  }

  static let cases = [
    Case(stops: [], text: "all of it", answer: "all of it", isStopped: false),
    Case(stops: ["END"], text: "one END two", answer: "one "),
    Case(stops: ["END"], text: "one EN two", answer: "one EN two", isStopped: false),
    Case(stops: ["END"], text: "one EN", answer: "one EN", isStopped: false),
    Case(stops: ["END"], text: "ENEND", answer: "EN"),
    Case(stops: ["aab"], text: "aaab", answer: "a"),
    Case(stops: ["\n\n"], text: "a\nb\n\nc", answer: "a\nb"),
    Case(stops: ["abcd", "bc"], text: "abcd", answer: "a"),
    Case(stops: ["bc", "abc"], text: "xabc", answer: "x"),
    Case(stops: ["🙂"], text: "ab🙂c", answer: "ab"),
    Case(stops: ["é"], text: "caf\u{E9}", answer: "caf"),
    // Not the same bytes, so not the stop string.
    Case(stops: ["\u{E9}"], text: "cafe\u{301}", answer: "cafe\u{301}", isStopped: false),
    Case(stops: ["x"], text: "x", answer: ""),
  ]

  @Test(arguments: cases)
  func `the answer ends before the first stop string, wherever the text is cut`(case: Case) {
    let characters = Array(`case`.text)
    for first in 0...characters.count {
      for second in first...characters.count {
        var matcher = StopMatcher(`case`.stops)
        var answer = ""
        var isStopped = false
        for piece in [characters[..<first], characters[first..<second], characters[second...]] {
          if isStopped { break }
          switch matcher.append(String(piece)) {
          case .text(let text): answer += text
          case .stopped(let text):
            answer += text
            isStopped = true
          }
        }
        if !isStopped { answer += matcher.finish() }
        #expect(answer == `case`.answer)
        #expect(isStopped == `case`.isStopped)
      }
    }
  }

  @Test func `what may begin a stop string waits, and nothing else does`() {
    var matcher = StopMatcher(["STOP"])
    #expect(matcher.append("go on ST") == .text("go on "))
    #expect(matcher.append("AY") == .text("STAY"))
    #expect(matcher.append(" S") == .text(" "))
    #expect(matcher.finish() == "S")
  }

  @Test func `nothing comes after a stop`() {
    var matcher = StopMatcher(["."])
    #expect(matcher.append("a.b") == .stopped("a"))
    #expect(matcher.append("c") == .stopped(""))
    #expect(matcher.finish() == "")
  }
}
