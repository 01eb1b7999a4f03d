// The local engine against llama-server on the loopback interface: same machine, same model file, same
// threads, same requests, in turn.
//
//     swift run -c release ServerSpeed [first] [clients] [turn] [gap] [cancel] [lookup] [neighbours] [tuned] [embed]
//         [isolated] [--rounds 9] [--threads N] [--model PATH] [--llama-server PATH] [--pooling NAME]
//
//     first     time to the first token of a 128-token prompt, warm, against the server
//     clients   output tokens a second of 8 clients with 64 tokens each, against the server's 8 slots
//     turn      a conversation's second turn after 1,000 tokens, against its own first
//     gap       the gaps of a running stream while a 1,500-token prompt arrives, against their median
//     cancel    until the engine works for others
//     lookup    decoding with prompt look-up against without, and how often a token differs
//     neighbours  decoding beside 1 and 2 busy processes, adaptive, against the server at its default
//                 threads
//     tuned     prefill and decode of the tuned copy, against the server on the file as distributed; makes
//               the copy first where there is none, in the user's cache folder
//     embed     texts a second of 128 texts in one call, short and long, against the server's /v1/embeddings;
//               --pooling where the model has none of its own, as the default one, which is then pooled by
//               its mean
//     isolated  the first token and the speed of a worker's process, against the engine in this one
//
// Without names all of them. The server is asked through this package's own gateway client.

#if LocalLlama
  import Foundation
  import HybridLocal
  import Measuring

  do {
    WorkerMain.runIfWorker()
    Neighbours.spinIfChild()
    let options = try Options(CommandLine.arguments.dropFirst())
    print("\(options.threads) threads, \(options.model)")
    var sound = true
    for measure in options.measures {
      switch measure {
      case .first: try await FirstToken(options).run()
      case .clients: try await Clients(options).run()
      case .turn: sound = try await SecondTurn(options).run() && sound
      case .gap: try await Gaps(options).run()
      case .cancel: try await Cancels(options).run()
      case .lookup: try await Lookup(options).run()
      case .tuned: try await Tuned(options).run()
      case .embed: try await Embedding(options).run()
      case .isolated: try await Isolated(options).run()
      case .neighbours: try await BesideNeighbours(options).run()
      }
    }
    if !sound { exit(1) }
  } catch {
    print(error)
    exit(1)
  }
#else
  print("ServerSpeed needs the package trait LocalLlama.")
#endif
