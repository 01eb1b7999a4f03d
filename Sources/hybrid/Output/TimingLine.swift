internal import HybridCore
internal import HybridKit

/// Where an answer's time went, for `-v`.
///
///     times: queue 0 ms · load 310 ms · prefill 120 ms · decode 900 ms · threads 2 / 2 · throttled 40 ms · CPU pressure 25 %
enum TimingLine {
  /// - Returns: nil where nothing is known beyond the closing line: of a gateway's answer.
  static func of(_ answer: Answer) -> String? {
    let timings = answer.timings
    let times = [
      ("queue", timings.queue), ("load", timings.load), ("prefill", timings.prefill),
      ("decode", timings.decode),
    ]
    var parts = times.compactMap { name, time in time.map { "\(name) \(Words.duration($0))" } }
    if let threads = answer.completion.threads {
      parts.append("threads \(threads.decode) / \(threads.prefill)")
    }
    if let time = timings.throttled { parts.append("throttled \(Words.duration(time))") }
    if let share = timings.cpuPressure {
      parts.append("CPU pressure \(Int((share * 100).rounded())) %")
    }
    return parts.isEmpty ? nil : "times: " + parts.joined(separator: " · ")
  }
}
