#if LocalLlama
  public import HybridCore
#else
  package import HybridCore
#endif

/// Makes the best of a model file on this very CPU.
///
/// llama.cpp has fast kernels for some formats of weights and none for others. This measures the file as
/// it is, converts it to formats with fast kernels, compares the answers of each copy with the
/// original's, and keeps the fastest whose answers are the same within noise, in the user's cache folder.
/// A ``LocalExecutor`` loads it in place of the file where ``LocalExecutor/Options/usesTunedCopy`` says so.
///
///     let tuning = try await ModelTuner(modelPath: "/models/SmolLM2-135M-Instruct.Q4_1.gguf").tune()
///     print(tuning.kept?.format ?? "the file itself is best")
public struct ModelTuner: Sendable {
  public let modelPath: String
  public let options: Options
  let time: any TimeSource
  let machine: Machine
  let environment: [String: String]
  let disk: DiskSpace

  /// - Parameter modelPath: of a GGUF file.
  public init(modelPath: String, options: Options = Options()) {
    self.init(
      modelPath: modelPath, options: options, time: SystemTimeSource(), machine: .current,
      environment: ProcessEnvironment.variables)
  }

  /// - Parameters:
  ///   - machine: where CPUs and memory are read.
  ///   - environment: where `XDG_CACHE_HOME` and the variables for threads are looked up.
  package init(
    modelPath: String, options: Options, time: any TimeSource, machine: Machine,
    environment: [String: String], disk: DiskSpace = .real
  ) {
    self.modelPath = modelPath
    self.options = options
    self.time = time
    self.machine = machine
    self.environment = environment
    self.disk = disk
  }

  /// What is being done.
  public enum Step: Sendable, Hashable {
    /// Reads what the original says to the text.
    case reading
    /// - Parameter fraction: 0…1 of the tensors.
    case converting(WeightFormat, fraction: Double)
    case comparing(WeightFormat)
    case timing(round: Int, of: Int)
  }
}

#if LocalLlama
  extension ModelTuner {
    /// Tunes, or tells what an earlier run with the same limits came to that no other work disturbed.
    ///
    /// Takes about a minute for 135 million parameters on two cores, in proportion for others, and both
    /// cores meanwhile; several times that beside other work, which ``ModelTuning/warning`` then tells. Needs the memory of the largest copy, and the disk space of all of them until the end.
    /// Whatever ends it, also a signal or a crash, leaves nothing that the next run does not remove.
    ///
    /// - Parameter progress: told each step on the thread that works, which it holds up.
    /// - Throws: `invalidConfiguration` for options that are not possible, or a cache folder that nothing
    ///   names or nothing can be written to, `insufficientDiskSpace`, `insufficientMemory`, `localBusy` while another run is under
    ///   way, what a load of the model throws, and `cancelled` once the task is.
    public func tune(
      progress: (@Sendable (Step) -> Void)? = nil
    ) async throws(HybridError) -> ModelTuning {
      try options.validate()
      let result = OneShot<ModelTuning>()
      let abort = AbortFlag()
      try OwnThread.start(for: .local) {
        LlamaLibrary.nameThread("hybrid-tune")
        result.set(
          Result { () throws(HybridError) in
            try TuningRun(self, isCancelled: { abort.isRaised }, progress: progress).run()
          })
        LlamaLibrary.trimMemory()
      }
      // Not before the thread has let go of everything, so a cancelled task waits too.
      let waiting = Task { () -> Result<ModelTuning, HybridError> in
        do throws(HybridError) {
          return .success(try await result.wait())
        } catch {
          return .failure(error)
        }
      }
      return try await withTaskCancellationHandler {
        await waiting.value
      } onCancel: {
        abort.raise()
      }.get()
    }
  }
#endif
