#if LocalLlama
  /// What became of a file.
  enum Fate: Hashable, CustomStringConvertible {
    case works
    /// By the pre-flight, with the kind of its error.
    case refused(String)
    /// Later, by llama.cpp or by the template, with the error's code.
    case failed(String)
    /// The process was ended, with the last that it said.
    case signal(Int32, String)
    case hang
    /// The process ended by itself in a way that it should not.
    case exit(Int32, String)

    /// True for a typed error and a working model.
    var isGood: Bool {
      switch self {
      case .works, .refused, .failed: true
      case .signal, .hang, .exit: false
      }
    }

    var description: String {
      switch self {
      case .works: "works"
      case .refused(let kind): kind
      case .failed(let code): code
      case .signal(let number, let words): "SIGNAL \(number): \(words)"
      case .hang: "HANG"
      case .exit(let status, let words): "EXIT \(status): \(words)"
      }
    }
  }
#endif
