#if LocalLlama
  private import CHybridLlama
  package import HybridCore

  /// llama.cpp's own quantiser: a file in, a file in another format out.
  package enum LlamaConversion {
    /// Blocks the thread: about 2 s for 135 million parameters, 6 s for a format that is searched for.
    ///
    /// On any error a part of the copy may be left at `target`; that it is whole is for the caller to
    /// see, since llama.cpp may take a full disk for success.
    ///
    /// - Parameters:
    ///   - source: a file that has passed the pre-flight and was loaded once: llama.cpp ends the process
    ///     over some bad files.
    ///   - progress: told the fraction done, on the calling thread, before each tensor; false stops.
    /// - Throws: `cancelled`, `modelUnsupported` with llama.cpp's own reason.
    package static func run(
      from source: String, to target: String, format: WeightFormat, threads: Int,
      progress: (Double) -> Bool
    ) throws(HybridError) {
      try LlamaLibrary.start()
      let code = withoutActuallyEscaping(progress) { progress in
        // The call returns before `box` goes: unretained is enough.
        let box = ProgressBox(progress)
        return withExtendedLifetime(box) {
          unsafe hybrid_llama_convert(
            source, target, format.fileType, Int32(clamping: threads),
            { done, all, user in
              guard let user = unsafe user else { return true }
              return unsafe Unmanaged<ProgressBox>.fromOpaque(user).takeUnretainedValue()
                .progress(Double(done) / Double(max(1, all)))
            }, Unmanaged.passUnretained(box).toOpaque())
        }
      }
      switch Int(code) {
      case HYBRID_LLAMA_OK: return
      case HYBRID_LLAMA_STOPPED:
        throw HybridError(.cancelled, "the conversion was stopped", side: .local)
      default:
        throw HybridError(
          .modelUnsupported, "llama.cpp could not convert the model to \(format)",
          nextStep: "Leave that format out",
          details: ["format": .string(format.name), "reason": .optional(LlamaLog.takeError())],
          side: .local)
      }
    }

    private final class ProgressBox {
      let progress: (Double) -> Bool

      init(_ progress: @escaping (Double) -> Bool) {
        self.progress = progress
      }
    }
  }
#endif
