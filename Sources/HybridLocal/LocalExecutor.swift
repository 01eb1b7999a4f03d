#if LocalLlama
  public import HybridCore

  /// Answers chat requests with a model on this machine, in process, through llama.cpp.
  ///
  /// Making one costs nothing: the file is looked at, the vocabulary read and the model loaded when
  /// they are first needed. Several requests run at once, others wait in a bounded queue in order of
  /// arrival. What is computed stays for later requests that begin alike. Releasing the last reference, streams included, frees all memory.
  public final class LocalExecutor: LocalSide {
    /// How the model is run. What is nil is chosen by the machine and the model.
    public struct Options: Sendable, Hashable {
      /// Tokens that one request may take, prompt and answer together. nil: what the model was made
      /// for, at most 8,192 and what memory allows.
      public var contextLength: Int?

      /// Lets `contextLength` exceed what the model was trained on. What it then writes beyond that is
      /// often nonsense.
      public var allowsBeyondTrained: Bool

      /// Requests that run at once, 1 to 128; further ones wait, and so do a request's further choices.
      /// nil: four a core within the CPU quota,
      /// 4 to 16; 1 where ``isDeterministic``.
      public var parallelRequests: Int?

      /// Tokens of all running requests and of the prefix cache together. nil: `parallelRequests` times
      /// what one may take, at most 8,192 and what memory allows, at least what one may take. Where
      /// running requests need more, the latest begins anew when there is room.
      public var totalContextLength: Int?

      /// Bytes of keys and values that finished requests may hold, so that later ones which begin
      /// alike need not compute them again. nil: all that running requests leave; 0: none.
      public var prefixCacheBytes: Int?

      /// Makes an answer depend on its own request alone. Otherwise what else runs changes the order of
      /// additions, and so now and then a token.
      ///
      /// The thread counts count as well, and then stay as they were at the load. Each step computes one
      /// sequence, in its own part of the memory: requests at once gain no throughput, and their
      /// contexts are held in full. Costs nothing where one runs at a time.
      public var isDeterministic: Bool

      /// Lets greedy answers guess their next tokens from what stands before, and verifies a whole guess
      /// in one step: faster where the answer quotes its prompt. Each token is the likeliest of the
      /// step that verified it; now and then that is another than one by one. Stops by itself for an
      /// answer where it does not pay. Ignored where ``isDeterministic``.
      public var usesPromptLookup: Bool

      /// CPU threads that generate. nil: `HYBRID_THREADS`, `LLAMA_ARG_THREADS`, else one a physical
      /// core within the CPU quota.
      public var threads: Int?

      /// CPU threads that process prompts. nil: as `threads` where set, else one a logical CPU.
      public var prefillThreads: Int?

      /// Whether thread counts that were measured with this model replace those that the machine
      /// suggests, `threads` and the variables unset. They are ceilings as those are: the counts go on
      /// following the load of the moment.
      public var autoTune: AutoTune

      /// Loads the copy that ``ModelTuner`` made and kept for this CPU in place of the file, where there
      /// is one: mostly faster, with the same answers within the limits that it was kept under. Where
      /// there is none the file itself is loaded, and ``LocalExecutor/tunedCopy`` says why. Answers keep
      /// the file's name and tell the copy's format in ``Completion/tunedFormat``. Until the model is
      /// loaded, a look at its state reads a megabyte more.
      public var usesTunedCopy: Bool

      /// Requests that may be inside at once, the running ones included; one more is `localBusy`. Each
      /// choice of a request takes a place; one for more choices than places is `unsupportedFeature`.
      public var queueCapacity: Int

      /// Time without a request after which the model's memory is freed; the next request loads it
      /// again. Counts from the end of the last request, or from the load. nil: it stays loaded.
      public var unloadsAfter: Duration?

      public init(
        contextLength: Int? = nil, allowsBeyondTrained: Bool = false,
        parallelRequests: Int? = nil,
        totalContextLength: Int? = nil, prefixCacheBytes: Int? = nil, isDeterministic: Bool = false,
        usesPromptLookup: Bool = false, threads: Int? = nil, prefillThreads: Int? = nil,
        autoTune: AutoTune = .off, usesTunedCopy: Bool = false,
        queueCapacity: Int = 64,
        unloadsAfter: Duration? = nil
      ) {
        self.contextLength = contextLength
        self.allowsBeyondTrained = allowsBeyondTrained
        self.parallelRequests = parallelRequests
        self.totalContextLength = totalContextLength
        self.prefixCacheBytes = prefixCacheBytes
        self.isDeterministic = isDeterministic
        self.usesPromptLookup = usesPromptLookup
        self.threads = threads
        self.prefillThreads = prefillThreads
        self.autoTune = autoTune
        self.usesTunedCopy = usesTunedCopy
        self.queueCapacity = queueCapacity
        self.unloadsAfter = unloadsAfter
      }
    }

    /// Where tuned thread counts come from.
    public enum AutoTune: String, Sendable, Hashable {
      /// Nowhere: the machine's own counts hold.
      case off
      /// From `hybridkit/threads.json` in the user's cache folder, where an earlier load remembered
      /// counts for this model, processor, set of CPUs and quota.
      case remembered
      /// The same; where there are none, the load measures them and remembers them. That takes six
      /// seconds for 135 million parameters on two cores, and for a large model the time of some 70
      /// tokens and 260 prompt tokens. Nothing is remembered that was measured beside busy neighbours.
      case measured
    }

    public let modelPath: String
    public let options: Options
    let time: any TimeSource
    let machine: Machine
    let environment: [String: String]
    let files: ModelFiles
    let background = BackgroundQueue()
    /// For texts that take seconds, lest short ones wait for them.
    let longTexts = BackgroundQueue()
    let lifecycle: Lifecycle<Engine>
    /// What it shares the memory in; nil: nothing makes room for it.
    let room: ModelRoom?

    /// - Parameter modelPath: of a GGUF file. It need not exist yet.
    public convenience init(
      modelPath: String, options: Options = Options(), time: any TimeSource = SystemTimeSource()
    ) {
      self.init(
        modelPath: modelPath, options: options, time: time, machine: .current,
        environment: ProcessEnvironment.variables)
    }

    /// - Parameters:
    ///   - machine: where CPUs, memory and limits are read.
    ///   - environment: where `HYBRID_THREADS` and `LLAMA_ARG_THREADS` are looked up.
    ///   - files: where the model's header is read.
    ///   - room: shared with other models, which make room for this one, and it for them.
    package init(
      modelPath: String, options: Options, time: any TimeSource, machine: Machine,
      environment: [String: String], files: ModelFiles = .real, room: ModelRoom? = nil
    ) {
      self.modelPath = modelPath
      self.options = options
      self.time = time
      self.machine = machine
      self.environment = environment
      self.files = files
      lifecycle = Lifecycle(time: time, unloadsAfter: options.unloadsAfter)
      self.room = room
      room?.join(lifecycle, name: modelInfo.name)
    }

    deinit {
      lifecycle.close()
    }

    /// What tuning the threads came to; nil where ``Options/autoTune`` is off or no model is loaded.
    public var tuning: AutoTuneResult? {
      if case .ready(_, _, let loaded) = lifecycle.phase { loaded.tuning } else { nil }
    }

    /// Whether a tuned copy is loaded in place of the file; nil where ``Options/usesTunedCopy`` is off or
    /// no model is loaded.
    public var tunedCopy: TunedCopyChoice? {
      if case .ready(_, let facts, _) = lifecycle.phase { facts.copy } else { nil }
    }

    /// Tokens in memory that belong to running requests.
    package var runningCells: Int { lifecycle.phase.engine?.runningCells ?? 0 }

    /// Loads the model now, so that the first request need not wait. A load that is under way is
    /// joined.
    ///
    /// - Parameter progress: told how far the load has come, at most once a percent, on the thread that
    ///   loads, which it holds up: growing fractions of 1, and 1 once the model is loaded. Where it was
    ///   loaded before, only 1, on the calling thread.
    /// - Throws: as ``start(_:in:)`` for a model that cannot be loaded. When the task is cancelled,
    ///   the load goes on, and `progress` is told nothing more.
    public func load(
      progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws(HybridError) {
      let (engine, key) = try await withEngine(for: facts()) { engine in
        (engine, progress.flatMap(engine.loading.listen))
      }
      defer { if let key { engine.loading.forget(key) } }
      _ = try await engine.loaded.wait()
      if key == nil { progress?(1) }
    }

    /// Frees the model's memory. The next request loads it again. A load is stopped: who waits for it
    /// gets `engineLost`.
    ///
    /// - Throws: `localBusy` while a request runs or waits; nothing is freed then.
    public func unload() async throws(HybridError) {
      try await lifecycle.unloadAndWait()
    }

    /// Ends the executor: what runs or waits fails with `engineLost`, and everything is freed before
    /// this returns. Later requests fail with `engineLost`.
    public func close() async {
      // Only a cancelled task stops waiting early; the memory is freed all the same.
      try? await lifecycle.close()?.ended.wait()
    }
  }
#endif
