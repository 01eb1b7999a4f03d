#if LocalLlama
  private import CHybridLlama
  package import HybridCore

  /// llama.cpp itself: found, of a tested version, and prepared, once in a process.
  package enum LlamaLibrary {
    /// The versions that the tests run against: major and minor number.
    package static let testedRange = "0.5"

    private static let started: Result<Void, HybridError> = Result { () throws(HybridError) in
      switch Int(hybrid_llama_start()) {
      case HYBRID_LLAMA_OK: break
      case HYBRID_LLAMA_NO_CPU_BACKEND:
        throw HybridError(
          .modelLoadFailed, "llama.cpp \(version) has no CPU backend",
          nextStep: "Install the backends that belong to it, beside its library", side: .local)
      default:
        throw HybridError(
          .modelLoadFailed, "llama.cpp \(version) did not start",
          nextStep: "Run `Fixtures/bootstrap` to install a tested version", side: .local)
      }
      try checkVersion(version, layoutMatches: hybrid_llama_layout_matches())
    }

    /// As the library says it, for example `0.5.0-dev`.
    package static var version: String { unsafe String(cString: hybrid_llama_version()) }

    /// Call before the first model; costs nothing when repeated.
    ///
    /// - Throws: `modelLoadFailed` when the library is not usable.
    package static func start() throws(HybridError) {
      try started.get()
    }

    /// Its parameters are structs passed by value, and its SONAME stays 0 whatever they hold: a
    /// library of another version than the header's reads them wrongly.
    static func checkVersion(_ version: String, layoutMatches: Bool) throws(HybridError) {
      // A build from the sources between two releases says `-dev`; its interface is the release's.
      let release = version.split(separator: "-").first ?? ""
      let numbers = release.split(separator: ".")
      guard layoutMatches, numbers.prefix(2).joined(separator: ".") == testedRange else {
        throw HybridError(
          .modelLoadFailed,
          "llama.cpp \(version) is installed, and this build was made for \(testedRange).x",
          nextStep: "Run `Fixtures/bootstrap` to install a tested version, then build again",
          details: [
            "installed": .string(version), "tested": .string("\(testedRange).x"),
            "layoutMatches": .bool(layoutMatches),
          ], side: .local)
      }
    }

    /// Whether the CPU backend was built for and runs with a feature, by ggml's name for it. Only once
    /// the library is started.
    static func hasCPUFeature(_ name: String) -> Bool {
      unsafe hybrid_llama_has_cpu_feature(name)
    }

    /// Names the calling thread, for `top` and debuggers; on Linux also the compute threads that it
    /// starts.
    ///
    /// - Parameter name: at most 15 bytes.
    package static func nameThread(_ name: String) {
      unsafe hybrid_llama_name_thread(name)
    }

    /// Gives the memory that a freed model leaves with the allocator back to the system.
    package static func trimMemory() {
      hybrid_llama_trim_memory()
    }
  }
#endif
