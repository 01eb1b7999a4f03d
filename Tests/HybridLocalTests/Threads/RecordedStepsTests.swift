import Foundation
import HybridCore
import HybridLocal
import Testing

/// Real steps: `ThreadAdaptation --record` wrote them on two cores, at each fixed count beside each
/// number of busy neighbours.
struct RecordedSteps {
  struct Load: Hashable {
    let neighbours: Int
    let threads: Int
  }

  private(set) var samples: [Load: [StepSample]] = [:]

  init(_ name: String) throws {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/threads/\(name).csv")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let load = Load(
        neighbours: try #require(fields[0]), threads: try #require(fields[1]))
      samples[load, default: []].append(
        StepSample(
          shape: StepShape(generated: 1), threads: load.threads,
          wall: .microseconds(try #require(fields[2])), cpu: fields[3].map { .microseconds($0) },
          idleCPUs: fields[4].map { Double($0) / 1_000 }))
    }
  }

  func meanSeconds(_ load: Load) -> Double {
    let walls = (samples[load] ?? []).map(\.wall.inSeconds)
    return walls.reduce(0, +) / Double(max(1, walls.count))
  }

  func idleCPUs(_ load: Load) -> Double? {
    let told = (samples[load] ?? []).compactMap(\.idleCPUs)
    return told.isEmpty ? nil : told.reduce(0, +) / Double(told.count)
  }
}

@Suite struct RecordedStepsTests {
  /// Plays the samples from some place on; returns the mean seconds of the steps after the first 48.
  private func play(
    _ steps: RecordedSteps, neighbours: Int, from start: Int, _ controller: inout ThreadController
  ) -> Double {
    var sum = 0.0
    for step in 0..<248 {
      let threads = controller.threads(for: StepShape(generated: 1))
      let load = RecordedSteps.Load(neighbours: neighbours, threads: threads)
      let samples = steps.samples[load] ?? []
      var sample = samples[(start + step) % samples.count]
      sample.idleCPUs = controller.idleWatch == .due ? steps.idleCPUs(load) : nil
      controller.record(sample)
      if step >= 48 { sum += steps.meanSeconds(load) }
    }
    return sum / 200
  }

  @Test(arguments: 0...2)
  func `on recorded steps it stays near the best fixed count`(neighbours: Int) throws {
    let steps = try RecordedSteps("two-cores")
    let best = (1...2).map { steps.meanSeconds(.init(neighbours: neighbours, threads: $0)) }.min()
    for start in stride(from: 0, to: 90, by: 9) {
      var controller = ThreadController(ceilings: ThreadCounts(decode: 2, prefill: 2))
      let mean = play(steps, neighbours: neighbours, from: start, &controller)
      #expect(try #require(best) / mean >= 0.9, "from \(start): \(mean) s, best \(best ?? 0) s")
    }
  }

  @Test(arguments: 1...2)
  func `on recorded steps it is back within 32 steps`(neighbours: Int) throws {
    let steps = try RecordedSteps("two-cores")
    for start in stride(from: 0, to: 90, by: 9) {
      var controller = ThreadController(ceilings: ThreadCounts(decode: 2, prefill: 2))
      _ = play(steps, neighbours: neighbours, from: start, &controller)
      #expect(controller.level == 1)
      for step in 0..<32 {
        let threads = controller.threads(for: StepShape(generated: 1))
        let load = RecordedSteps.Load(neighbours: 0, threads: threads)
        let samples = try #require(steps.samples[load])
        var sample = samples[(start + step) % samples.count]
        sample.idleCPUs = controller.idleWatch == .due ? steps.idleCPUs(load) : nil
        controller.record(sample)
      }
      #expect(controller.level == 2, "from \(start)")
    }
  }
}
