#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  struct Comparison {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    private func newController() -> ThreadController {
      ThreadController(
        ceilings: ThreadCounts(decode: options.threads, prefill: options.threads))
    }

    func run() throws {
      var decoder = try Decoder(options)
      let neighbours = Neighbours()
      say("\(options.model), at most \(options.threads) threads, tokens a second")
      for count in options.neighbours {
        try neighbours.set(count)
        try compare(beside: count, &decoder)
      }
      for count in options.neighbours where count > 0 { try recover(count, neighbours, &decoder) }
    }

    private func compare(beside count: Int, _ decoder: inout Decoder) throws {
      var controller = newController()
      // It finds its place first; how long that takes is shown apart.
      var settling: [Int] = []
      for _ in 0..<32 { settling.append(try decoder.step(&controller).threads) }
      var fixed = [[Double]](repeating: [], count: options.threads)
      var adaptive: [Double] = []
      for round in 0..<options.rounds {
        for turn in 0...options.threads {
          let place = (turn + round) % (options.threads + 1)
          if place == options.threads {
            adaptive.append(
              try decoder.speed(options.steps) { _ = try $0.step(&controller) })
          } else {
            fixed[place].append(
              try decoder.speed(options.steps) { _ = try $0.step(threads: place + 1) })
          }
        }
      }
      let best =
        fixed.indices.max { Quantiles(fixed[$0]).median < Quantiles(fixed[$1]).median } ?? 0
      let ratios = Quantiles(zip(adaptive, fixed[best]).map { $0 / $1 })
      let speeds = fixed.indices.map { "\($0 + 1) ▸ \(number(Quantiles(fixed[$0]).median, 1))" }
      say(
        "\(count) neighbours: \(speeds.joined(separator: "  "))"
          + "  adaptive ▸ \(number(Quantiles(adaptive).median, 1))"
          + "   of the best (quarter, median, quarter): \(ratios.quartiles())"
          + "   changes: \(controller.changes), first steps: \(runs(settling))")
    }

    /// Ends the neighbours in the midst of a run and counts the steps until the full count is used.
    private func recover(
      _ count: Int, _ neighbours: Neighbours, _ decoder: inout Decoder
    ) throws {
      var steps: [Int] = []
      for round in 0..<options.rounds {
        var controller = newController()
        try neighbours.set(count)
        for _ in 0..<(48 + round * 3 % 8) { _ = try decoder.step(&controller) }
        try neighbours.set(0)
        var threads: [Int] = []
        for _ in 0..<64 { threads.append(try decoder.step(&controller).threads) }
        // From there on it stays, but for a trial of a step or two.
        let last = threads.indices.last { place in
          threads[place...].prefix(4).allSatisfy { $0 < options.threads }
        }
        steps.append(last.map { $0 + 1 } ?? 0)
      }
      steps.sort()
      say(
        "after \(count) neighbours stop, steps until all threads are used again: median "
          + "\(steps[steps.count / 2]), most \(steps[steps.count - 1])   (aim: 32 or less)")
    }

    /// At once, also into a file.
    private func say(_ line: String) {
      FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Equal neighbours folded: `2×8 1×24`.
    private func runs(_ values: [Int]) -> String {
      var runs: [(value: Int, count: Int)] = []
      for value in values {
        if runs.last?.value == value {
          runs[runs.count - 1].count += 1
        } else {
          runs.append((value, 1))
        }
      }
      return runs.map { "\($0.value)×\($0.count)" }.joined(separator: " ")
    }
  }
#endif
