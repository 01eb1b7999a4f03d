// Decoding beside busy neighbours: the adaptive thread count against each fixed one.
//
//     swift run -c release ThreadAdaptation [--rounds 9] [--steps 64] [--threads N] [--model PATH]
//     swift run -c release ThreadAdaptation --record FILE   samples at fixed counts, for the tests
//
// Neighbours are child processes that spin. Fixed and adaptive runs take turns, so that what else
// the machine does hits them alike; what counts is the median of the rounds' ratios.

#if LocalLlama
  import Foundation
  import Measuring

  do {
    Neighbours.spinIfChild()
    let options = try Options(CommandLine.arguments.dropFirst())
    if let file = options.record {
      try Recording(options).run(to: file)
    } else {
      try Comparison(options).run()
    }
  } catch {
    print(error)
    exit(1)
  }
#else
  print("ThreadAdaptation needs the package trait LocalLlama.")
#endif
