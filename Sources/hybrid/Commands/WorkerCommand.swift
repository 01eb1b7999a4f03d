internal import HybridCore

extension Command {
  /// The process in which another one runs its model; not for people.
  static let worker: Command = Command(
    name: "worker", operand: nil,
    summary: "run a model for another process, which starts it (not for people)",
    examples: [
      Example(
        line: #"hybrid ask --isolated "Why is the sky blue?""#,
        meaning: "starts one, asks it, and ends it")
    ],
    notes: [
      """
      A program that gives its LocalWorker this one's path has the model run here: a file that crashes
      llama.cpp then ends this process and not that one. They speak over descriptor 3; started by hand
      it does nothing.
      """
    ],
    groups: [],
    run: { _ throws(HybridError) in
      throw .usage(
        "a worker is started by the program that wants one",
        nextStep: "See hybrid ask --isolated")
    })
}
