#if LocalLlama
  import HybridCore

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #elseif canImport(Darwin)
    private import Darwin
  #endif

  /// One run of a ``ModelTuner``, on a thread that it may block.
  struct TuningRun {
    private let tuner: ModelTuner
    private let isCancelled: () -> Bool
    private let progress: ((ModelTuner.Step) -> Void)?
    private var options: ModelTuner.Options { tuner.options }

    init(
      _ tuner: ModelTuner, isCancelled: @escaping () -> Bool,
      progress: ((ModelTuner.Step) -> Void)?
    ) {
      self.tuner = tuner
      self.isCancelled = isCancelled
      self.progress = progress
    }

    /// A file that can be measured.
    private struct Candidate {
      var path: String
      var header: GGUFHeader
      /// nil for the original.
      var format: WeightFormat?
      var quality: CopyQuality?
    }

    func run() throws(HybridError) -> ModelTuning {
      do throws(HybridError) {
        return try tune()
      } catch {
        // Whatever it broke off in the middle of.
        if isCancelled() { throw HybridError(.cancelled, "tuning was stopped", side: .local) }
        throw error
      }
    }

    private func tune() throws(HybridError) -> ModelTuning {
      try LlamaLibrary.start()
      guard let store = TunedCopies(environment: tuner.environment) else {
        throw HybridError(
          .invalidConfiguration, "neither XDG_CACHE_HOME nor HOME says where a copy is kept",
          nextStep: "Set one of them to an absolute path", side: .local)
      }
      let (original, contents, key) = try read()
      let asked: [WeightFormat]
      if let formats = options.formats {
        asked = formats
      } else {
        asked = try FastKernels.current().candidates()
      }
      let formats = asked.filter { $0.name != original.header.quantization }
      return try store.hold { () throws(HybridError) in
        if !options.isForced, let record = store.soundRecord(for: key),
          record.limits == options.limits, record.leastGain == options.leastGain,
          record.rows.map(\.format) == formats.map(\.name),
          // What other work has spoilt is measured anew; a copy that it kept may be used till then.
          record.warning == nil
        {
          return tuning(record, in: store, isNew: false)
        }
        let needed = formats.map { CopySize.bytes(of: $0, for: contents) }.reduce(0, +)
        try tuner.disk.require(needed, in: store.folder)
        let record = try measure(original, formats, contents, key, store)
        let kept = record.copies.first { $0.verdict == .kept }
        return tuning(
          try store.keep(kept.flatMap { WeightFormat(named: $0.format) }, record), in: store,
          isNew: true)
      }
    }

    private func read() throws(HybridError) -> (Candidate, GGUFContents, TunedCopyKey) {
      let path = tuner.modelPath
      do throws(ModelFileError) {
        let file = try ModelFileHandle(path: path)
        let header = try GGUFHeader(file.bytes, name: path)
        try header.requireChatModel()
        return (
          Candidate(path: path, header: header), try GGUFContents(file.bytes),
          try TunedCopyKey(file.bytes, machine: tuner.machine, library: LlamaLibrary.version)
        )
      } catch {
        throw error.at(path: path).hybridError
      }
    }

    private func tuning(
      _ record: TuningRecord, in store: TunedCopies, isNew: Bool
    ) -> ModelTuning {
      ModelTuning(
        original: record.original, copies: record.copies, limits: record.limits,
        leastGain: record.leastGain, isNew: isNew,
        keptPath: record.kept.map { store.copyPath(record.key, $0.format) },
        warning: record.warning)
    }

    // MARK: Measuring

    private func measure(
      _ original: Candidate, _ formats: [WeightFormat], _ contents: GGUFContents,
      _ key: TunedCopyKey, _ store: TunedCopies
    ) throws(HybridError) -> TuningRecord {
      let plan = try threadPlan()
      var meter = CopyMeter(
        machine: tuner.machine, threads: plan.counts, time: tuner.time, isCancelled: isCancelled)
      progress?(.reading)
      try meter.keepOriginal(
        original.path, original.header, text: TuneText.english, mostTokens: options.textTokens)

      var candidates = [original]
      var problems: [String: String] = [:]
      for format in formats {
        do throws(HybridError) {
          candidates.append(
            try copy(
              original, to: format, at: store.temporaryPath(format), threads: plan.counts.prefill,
              meter))
        } catch {
          _ = unsafe unlink(store.temporaryPath(format))
          if isCancelled() { throw error }
          try tuner.disk.require(CopySize.bytes(of: format, for: contents), in: store.folder)
          problems[format.name] = error.message
        }
      }
      meter.forgetOriginal()

      let (speeds, crowding) = try time(candidates, meter, cpus: plan.budget.allowed)
      let rows = zip(candidates, speeds).map { candidate, speed in
        FormatMeasurement(
          format: candidate.format?.name ?? candidate.header.quantization,
          size: candidate.header.fileSize, memory: candidate.header.tensorBytes,
          prefill: speed.prefill, decode: speed.decode, quality: candidate.quality)
      }
      return TuningRecord(
        key: key, limits: options.limits, leastGain: options.leastGain, original: rows[0],
        rows: formats.map { format in
          TuningRecord.Row(
            format: format.name,
            measurement: rows.dropFirst().first { $0.format == format.name },
            problem: problems[format.name])
        },
        warning: crowding.map { cpus in
          let tenths = Int((cpus * 10).rounded())
          return "other work took \(tenths / 10).\(tenths % 10) CPUs while the files were timed"
        })
    }

    private func copy(
      _ original: Candidate, to format: WeightFormat, at path: String, threads: Int,
      _ meter: CopyMeter
    ) throws(HybridError) -> Candidate {
      var told = -1
      try LlamaConversion.run(
        from: original.path, to: path, format: format, threads: threads
      ) { fraction in
        let percent = Int(fraction * 100)
        if percent != told {
          told = percent
          progress?(.converting(format, fraction: fraction))
        }
        return !isCancelled()
      }
      var candidate: Candidate
      do throws(ModelFileError) {
        // Finds a copy that a full disk cut short.
        candidate = Candidate(path: path, header: try GGUFHeader(path: path), format: format)
      } catch {
        throw error.hybridError
      }
      progress?(.comparing(format))
      candidate.quality = try meter.quality(of: path, candidate.header)
      return candidate
    }

    /// The files take turns to go first, and the best of each file's rounds counts: what passes by makes
    /// some rounds slower and none faster.
    ///
    /// - Returns: tokens a second, and the CPUs that other work took where that is enough to matter.
    private func time(
      _ candidates: [Candidate], _ meter: CopyMeter, cpus: CPUList
    ) throws(HybridError) -> (speeds: [(prefill: Double, decode: Double)], crowding: Double?) {
      var found = candidates.map { _ in (prefill: [Double](), decode: [Double]()) }
      var neighbours = NeighbourWatch(tuner.machine.files, cpus: cpus)
      for round in 0..<options.rounds {
        progress?(.timing(round: round + 1, of: options.rounds))
        for turn in candidates.indices {
          let index = (round + turn) % candidates.count
          let candidate = candidates[index]
          let room = candidate.header.shape.trainedContextLength - options.outputTokens
          let speed = try meter.speeds(
            of: candidate.path, candidate.header,
            promptTokens: max(1, min(options.promptTokens, room)),
            outputTokens: options.outputTokens, neighbours: &neighbours)
          found[index].prefill.append(speed.prefill)
          found[index].decode.append(speed.decode)
        }
      }
      return (
        found.map { (prefill: $0.prefill.max() ?? 0, decode: $0.decode.max() ?? 0) },
        neighbours.crowding
      )
    }

    private func threadPlan() throws(HybridError) -> ThreadPlan {
      do throws(ThreadSettingError) {
        return tuner.machine.threadPlan(
          try ThreadSettings(decode: options.threads, environment: tuner.environment))
      } catch {
        throw error.hybridError
      }
    }
  }
#endif
