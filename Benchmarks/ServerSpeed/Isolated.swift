#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// A worker's process against the engine in this one: what the way between them costs.
  struct Isolated {
    let options: Options

    init(_ options: Options) {
      self.options = options
    }

    func run() async throws {
      let own = options.executor(parallel: 1)
      let clock = ContinuousClock()
      let worker = LocalWorker(modelPath: options.model, options: .init(model: own.options))
      let begun = clock.now
      _ = await worker.status()
      let start = (clock.now - begun).inSeconds
      let bare = try Self.memory(of: worker)
      var prompts = Prompts()
      var added: [Double] = []
      var ratios: [Double] = []
      var decode: [Double] = []
      for round in 0...options.rounds {
        let prompt = prompts.next(tokens: 128)
        var seen = [Seen(), Seen()]
        for side in round % 2 == 0 ? [0, 1] : [1, 0] {
          let asked = request(prompt, tokens: 32)
          seen[side] = side == 0 ? try await own.see(asked) : try await worker.see(asked)
        }
        // The first one loads.
        guard round > 0 else { continue }
        let times = seen.map(\.firstToken.inSeconds)
        added.append((times[1] - times[0]) * 1000)
        ratios.append(times[1] / times[0])
        // By the reader's clock, the way included.
        let spans = seen.map { ($0.total - $0.firstToken).inSeconds }
        decode.append(spans[0] / spans[1])
      }
      var asks: [Double] = []
      for _ in 0..<200 {
        let begun = clock.now
        _ = await worker.status()
        asks.append((clock.now - begun).inSeconds * 1e6)
      }
      print("isolated: a worker stands after \(number(start * 1000, 1)) ms")
      print("isolated: added to the first token   \(Quantiles(added).quartiles(digits: 1)) ms")
      print("isolated: first token, ratio         \(Quantiles(ratios).quartiles())")
      print("isolated: speed after it, ratio      \(Quantiles(decode).quartiles())")
      print("isolated: its state is asked in      \(Quantiles(asks).quartiles(digits: 0)) µs")
      print("isolated: its memory without a model \(bare)")
      print("isolated: its memory with the model  \(try Self.memory(of: worker))")
      await worker.close()
      await own.close()
    }

    /// Resident memory of its process, and how much of it is not the file's.
    private static func memory(of worker: LocalWorker) throws -> String {
      guard let process = worker.processID else { throw UsageError("there is no worker") }
      let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      func mebibytes(_ name: String) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
        return number((kibibytes ?? 0) / 1024, 1)
      }
      return "\(mebibytes("VmRSS")) MiB resident, \(mebibytes("RssAnon")) of it its own"
    }
  }
#endif
