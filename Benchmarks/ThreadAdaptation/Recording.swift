#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// Samples at each fixed count beside each number of neighbours, as comma-separated values.
  struct Recording {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run(to file: String) throws {
      var decoder = try Decoder(options)
      let neighbours = Neighbours()
      var lines = ["neighbours,threads,wall_us,cpu_us,idle_permille"]
      for count in options.neighbours {
        try neighbours.set(count)
        for threads in 1...options.threads {
          for _ in 0..<8 { _ = try decoder.step(threads: threads) }
          for step in 0..<options.steps {
            let sample = try decoder.step(
              threads: threads, idleWatch: step % 8 == 7 ? .due : .running)
            let cpu = sample.cpu.map { "\(microseconds($0))" } ?? ""
            let idle = sample.idleCPUs.map { "\(Int($0 * 1_000))" } ?? ""
            lines.append("\(count),\(threads),\(microseconds(sample.wall)),\(cpu),\(idle)")
          }
        }
      }
      let text = lines.joined(separator: "\n") + "\n"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func microseconds(_ duration: Duration) -> Int {
      Int(duration.inSeconds * 1_000_000)
    }
  }
#endif
