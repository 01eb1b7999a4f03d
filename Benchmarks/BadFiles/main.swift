// Bad model files, each tried in a process of its own: a typed error or a working model, and never a
// signal or a hang.
//
//     swift run -c release BadFiles [--sets bad,mutants,…] [--mutants 1000] [--smashes 1000]
//                                   [--limit SECONDS] [--keep FOLDER]
//
// bad: files of every flaw in the tests' table, which the pre-flight must refuse; mutants: random changes
// in a small model's header; smashes: several keys at once with other values; keys: every key with every
// odd value; types, tensors, tokenizers, architectures: all that there are. Exits 1 where a process ended
// otherwise than by itself, or where a bad file was taken.

#if LocalLlama
  import Foundation

  do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if let path = options.attempt { exit(await Attempt.run(path)) }
    if try !Series(options).run() { exit(1) }
  } catch {
    print(error)
    exit(1)
  }
#else
  print("BadFiles needs the package trait LocalLlama.")
#endif
