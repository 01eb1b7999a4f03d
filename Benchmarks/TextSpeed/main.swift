// From a conversation to tokens, against the tools that model makers use for it.
//
//     swift run -c release TextSpeed render [--rounds 5] [--only NAME]
//                                                             70 models' templates over 100 messages, against
//                                                             Python's jinja2 on the same template
//     swift run -c release TextSpeed tokenise [--rounds 9] [--model PATH]
//                                                             1 MB of text, against llama_tokenize alone
//
// Both where none is named. Renders need what `Fixtures/bootstrap --tests` leaves.

#if LocalLlama
  do {
    let options = try Options(CommandLine.arguments.dropFirst())
    for measure in options.measures {
      switch measure {
      case .render: try Rendering(options).run()
      case .tokenise: try Tokenising(options).run()
      }
    }
  } catch {
    print(error)
    exit(1)
  }
#else
  print("TextSpeed needs the package trait LocalLlama.")
#endif

#if LocalLlama
  import Foundation
#endif
