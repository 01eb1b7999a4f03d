#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Measuring

  /// Tokens a second.
  struct Speeds {
    var prefill: Double
    var decode: Double
  }

  /// The engine under test, loaded once.
  struct OwnEngine {
    let options: Options
    private let engine: Engine
    private let story: [Token]

    init(_ options: Options) async throws {
      self.options = options
      let tokenizer = try Tokenizer(path: options.model, template: "")
      story = try tokenizer.tokenize("Once upon a time")
      let threads = ThreadCounts(decode: options.threads, prefill: options.threads)
      var settings = Engine.Options(
        path: options.model, modelName: "test", contextLength: 1024,
        context: .init(length: 1024, threads: threads), queueCapacity: 1)
      // Every prompt is to be computed.
      settings.cacheLimit = 0
      engine = try Engine(options: settings, time: SystemTimeSource())
      _ = try await engine.loaded.wait()
    }

    func measure() async throws -> Speeds {
      // Any tokens do; beyond the first few hundred come those that stand for text.
      let prompt = (0..<options.promptTokens).map { Token(1000 + $0 * 37 % 20_000) }
      // llama-bench too computes the prompt once before it takes the time.
      _ = try await run(prompt, maxTokens: 1)
      let prefill = try await run(prompt, maxTokens: 1).timings.prefill
      // The first token comes from the prompt; each further one takes a decode.
      let answer = try await run(story, maxTokens: options.outputTokens + 1)
      guard answer.usage?.completionTokens == options.outputTokens + 1,
        let prefill, let decode = answer.timings.decode
      else { throw UsageError("the model ended its answer early") }
      return Speeds(
        prefill: Double(options.promptTokens) / prefill.inSeconds,
        decode: Double(options.outputTokens) / decode.inSeconds)
    }

    private func run(_ prompt: [Token], maxTokens: Int) async throws -> Completion {
      let job = try engine.submit(
        .init(
          prompt: prompt, sampler: .greedy, maxTokens: maxTokens, received: SystemTimeSource().now()
        ))
      while let event = try await job.events.next() {
        if case .finished(let completion) = event { return completion }
      }
      throw UsageError("the answer had no end")
    }
  }

  /// llama.cpp's own benchmark, a process a round.
  struct Peer {
    let options: Options

    func measure() throws -> Speeds {
      let process = Process()
      process.executableURL = URL(filePath: options.peer)
      process.arguments = [
        "-m", options.model, "-p", "\(options.promptTokens)", "-n", "\(options.outputTokens)",
        "-t", "\(options.threads)", "-r", "1", "-o", "json",
      ]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let tests = try JSONReader.wire.read(Array(data)).array ?? []
      func speed(_ key: String) throws -> Double {
        guard let test = tests.first(where: { ($0[key]?.int ?? 0) > 0 }),
          let speed = test["avg_ts"]?.double
        else { throw UsageError("\(options.peer) gave no result") }
        return speed
      }
      return Speeds(prefill: try speed("n_prompt"), decode: try speed("n_gen"))
    }
  }
#endif
