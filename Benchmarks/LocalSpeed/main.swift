// The local engine against llama-bench: same machine, same model file, same threads, in turn.
//
//     swift run -c release LocalSpeed [--rounds 15] [--threads N] [--model PATH] [--llama-bench PATH]
//     swift run -c release LocalSpeed --load-cycles 100     memory over loads and unloads instead
//     swift run -c release LocalSpeed --requests 500    random requests, and what they leave, instead
//     swift run -c release LocalSpeed --memory 512,2048,8192 [--filled TOKENS] [--parallel 1]
//                                                       memory against the estimate instead
//     swift run -c release LocalSpeed --pre-flight 200  the header's check against reading it instead
//
// llama-bench times the computation alone; the engine's numbers hold everything that an answer needs
// beside it: sampling, text, the queue and the hand-over to the caller. `Fixtures/bootstrap --peers`
// builds llama-bench with the flags of the library that the engine uses.

#if LocalLlama
  do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if let count = options.loadCycles {
      if try await !LoadCycles(options: options, count: count).run() { exit(1) }
    } else if let count = options.requests {
      if try await !RandomRequests(options: options, count: count).run() { exit(1) }
    } else if let rounds = options.preFlight {
      try PreFlight(options: options, rounds: rounds).run()
    } else if !options.memory.isEmpty {
      if try await !MemoryCheck(options: options, contexts: options.memory).run() { exit(1) }
    } else {
      try await Comparison(options).run()
    }
  } catch {
    print(error)
    exit(1)
  }
#else
  print("LocalSpeed needs the package trait LocalLlama.")
#endif

#if LocalLlama
  import Foundation
#endif
