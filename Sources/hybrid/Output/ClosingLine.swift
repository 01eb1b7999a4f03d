internal import HybridCore
internal import HybridKit

/// The line after an answer: where it ran, why, and what it took.
///
///     ran on: local (smollm2-135m) · reason: – · 42 in / 118 out · TTFT 180 ms · 31.2 tok/s
enum ClosingLine {
  static func of(_ answer: Answer) -> String {
    let tuned = answer.completion.tunedFormat.map { ", tuned to \($0)" } ?? ""
    let model = answer.model.map { " (\($0)\(tuned))" } ?? ""
    var parts = ["ran on: \(answer.ranOn.rawValue)" + model]
    parts.append("reason: \(answer.reason.map(reason) ?? "–")")
    if let usage = answer.usage { parts.append(tokens(usage)) }
    if let time = answer.timings.firstToken { parts.append("TTFT \(Words.duration(time))") }
    if let rate = tokensPerSecond(answer) { parts.append("\(rate.rounded(to: 1)) tok/s") }
    let reasons = answer.choices.map(\.finishReason)
    if reasons.contains(where: { $0 != .stop }) {
      parts.append("finish: \(reasons.map(\.rawValue).joined(separator: ", "))")
    }
    return TerminalText.harmless(parts.joined(separator: " · "), keepsLines: false)
  }

  /// The reason's code, with the one that it wraps.
  static func reason(_ reason: Reason) -> String {
    let inner = reason.details["code"]?.string.map { " (\($0))" } ?? ""
    return reason.code.rawValue + inner
  }

  private static func tokens(_ usage: Usage) -> String {
    func number(_ count: Int?) -> String {
      count.map { (usage.counted ? "" : "~") + "\($0)" } ?? "?"
    }
    return "\(number(usage.promptTokens)) in / \(number(usage.completionTokens)) out"
  }

  /// Tokens after the first by the time from the first token to the last; nil below two tokens.
  static func tokensPerSecond(_ answer: Answer) -> Double? {
    guard let tokens = answer.usage?.completionTokens, tokens > 1 else { return nil }
    let timings = answer.timings
    let elapsed =
      timings.decode
      ?? timings.total.flatMap { total in timings.firstToken.map { total - $0 } }
    guard let seconds = elapsed?.inSeconds, seconds > 0 else { return nil }
    return Double(tokens - 1) / seconds
  }
}
