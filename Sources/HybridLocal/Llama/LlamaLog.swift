#if LocalLlama
  private import CHybridLlama
  private import Synchronization

  /// What llama.cpp writes about itself. Dropped, unless somebody listens.
  package enum LlamaLog {
    package enum Level: Int32, Sendable, Comparable {
      case debug = 1
      case info, warning, error

      package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package typealias Handler = @Sendable (Level, String) -> Void

    private static let handler = Mutex<Handler?>(nil)

    /// Sends each further line, or part of one, to `handler`; nil drops them again.
    ///
    /// The handler is called on whichever thread llama.cpp logs from, several at once, and must not
    /// block. Lines hold file names and numbers, never prompts.
    package static func route(to handler: Handler?) {
      self.handler.withLock { $0 = handler }
      guard handler != nil else {
        hybrid_llama_set_log(nil)
        return
      }
      unsafe hybrid_llama_set_log { level, text in
        guard let handler = LlamaLog.handler.withLock({ $0 }) else { return }
        handler(Level(rawValue: level) ?? .debug, unsafe String(cString: text))
      }
    }

    /// The last error line of the calling thread's llama.cpp calls, then forgotten.
    static func takeError() -> String? {
      let text = unsafe String(unsafeUninitializedCapacity: 512) { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
          guard let start = characters.baseAddress else { return 0 }
          return unsafe hybrid_llama_take_error(start, characters.count)
        }
      }
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init)
      return line?.isEmpty == false ? line : nil
    }
  }
#endif
