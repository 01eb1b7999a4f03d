#if LocalLlama
  import HybridCore
  @testable import HybridLocal
  import Testing

  struct LlamaLibraryTests {
    @Test func `the installed library is of a tested version`() throws {
      try LlamaLibrary.start()
      #expect(LlamaLibrary.version.hasPrefix(LlamaLibrary.testedRange + "."))
    }

    @Test(arguments: ["0.5.0", "0.5.0-dev", "0.5.17"])
    func `a version in the range passes`(version: String) throws {
      try LlamaLibrary.checkVersion(version, layoutMatches: true)
    }

    @Test(arguments: [
      ("0.4.9", true), ("0.50.0", true), ("1.5.0", true), ("", true), ("0.5.0", false),
    ])
    func `another version is refused with both named`(version: String, layoutMatches: Bool) {
      let error = #expect(throws: HybridError.self) {
        try LlamaLibrary.checkVersion(version, layoutMatches: layoutMatches)
      }
      #expect(error?.code == .modelLoadFailed)
      #expect(error?.details["installed"]?.string == version)
      #expect(error?.details["tested"]?.string == "0.5.x")
    }

    @Test func `a file that is no model is an error with llama.cpp's reason`() throws {
      let error = #expect(throws: HybridError.self) {
        _ = try LlamaModel(path: "/dev/null", part: .vocabulary)
      }
      #expect(error?.code == .modelLoadFailed)
      #expect(error?.details["reason"]?.string?.isEmpty == false)
    }

    @Test func `the log is silent until somebody listens`() throws {
      let heard = Heard()
      LlamaLog.route { level, _ in heard.add(level) }
      _ = try? LlamaModel(path: "/dev/null", part: .vocabulary)
      LlamaLog.route(to: nil)
      let count = heard.levels.count
      #expect(heard.levels.contains(.error))
      _ = try? LlamaModel(path: "/dev/null", part: .vocabulary)
      #expect(heard.levels.count == count)
    }
  }

  import Synchronization

  private final class Heard: Sendable {
    private let all = Mutex<[LlamaLog.Level]>([])

    func add(_ level: LlamaLog.Level) { all.withLock { $0.append(level) } }
    var levels: [LlamaLog.Level] { all.withLock { $0 } }
  }
#endif
