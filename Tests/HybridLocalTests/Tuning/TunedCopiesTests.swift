import Foundation
import HybridCore
import Testing

@testable import HybridLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The store, with small files in place of models.
@Suite struct TunedCopiesTests {
  private static let key = TunedCopyKey(model: "1-a", processor: "Some CPU", library: "0.5.0-dev")
  private static let row = FormatMeasurement(
    format: "Q4_1", size: 98, memory: 96, prefill: 340, decode: 150)
  private static let fast = FormatMeasurement(
    format: "Q8_0", size: 145, memory: 143, prefill: 742, decode: 162.5,
    quality: CopyQuality(divergence: 0.005, perplexityRatio: 0.999, ratioError: 0.002, tokens: 900))

  private func record(_ key: TunedCopyKey = key) -> TuningRecord {
    TuningRecord(
      key: key, limits: .lossless, leastGain: 1.05, original: Self.row,
      rows: [
        .init(format: "Q8_0", measurement: Self.fast), .init(format: "Q4_0", problem: "it broke"),
      ])
  }

  private func withStore(_ body: (TunedCopies) throws -> Void) throws {
    let cache = FileManager.default.temporaryDirectory.appending(path: "copies-\(UUID())").path()
    defer { try? FileManager.default.removeItem(atPath: cache) }
    try body(try #require(TunedCopies(environment: ["XDG_CACHE_HOME": cache])))
  }

  private func names(_ store: TunedCopies) -> [String] {
    ((try? FolderReader.real.names(store.folder).get()) ?? []).sorted()
  }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// As a run does: a copy is made under its temporary name, then kept.
  private func keep(_ key: TunedCopyKey = key, in store: TunedCopies) throws {
    try store.hold { () throws(HybridError) in
      try? write("the copy", store.temporaryPath(.q8))
      _ = try store.keep(.q8, record(key))
    }
  }

  @Test func `what was kept is found again, and only under the same key`() throws {
    try withStore { store in
      #expect(store.choice(for: Self.key).format == nil)
      try keep(in: store)
      let path = store.copyPath(Self.key, "Q8_0")
      #expect(store.choice(for: Self.key) == .used(format: "Q8_0", path: path))
      #expect(names(store) == ["\(Self.key.name).Q8_0.gguf", "\(Self.key.name).json"])
      let read = try #require(store.soundRecord(for: Self.key))
      #expect(read.original == Self.row)
      #expect(read.copies.map(\.verdict) == [.kept, .failed("it broke")])
      #expect(read.copies[0].measurement == Self.fast)
      for other in [
        TunedCopyKey(model: "1-b", processor: "Some CPU", library: "0.5.0-dev"),
        TunedCopyKey(model: "1-a", processor: "Another", library: "0.5.0-dev"),
        TunedCopyKey(model: "1-a", processor: "Some CPU", library: "0.5.1"),
      ] {
        let reason = "it was not tuned on this CPU with llama.cpp \(other.library): "
        #expect(store.choice(for: other) == .absent(reason: reason + "run hybrid models tune"))
      }
    }
  }

  @Test func `that the original is best is remembered too`() throws {
    try withStore { store in
      try store.hold { () throws(HybridError) in _ = try store.keep(nil, record()) }
      #expect(names(store) == ["\(Self.key.name).json"])
      #expect(store.soundRecord(for: Self.key) != nil)
      #expect(store.choice(for: Self.key).format == nil)
    }
  }

  @Test(arguments: [
    "other size", "one byte", "rewritten", "gone", "record cut", "record of another",
  ])
  func `a copy that is not what was kept is not used`(damage: String) throws {
    try withStore { store in
      try keep(in: store)
      let path = store.copyPath(Self.key, "Q8_0")
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      switch damage {
      case "other size": try write("the copy and more", path)
      case "one byte":
        try write("the cOpy", path)
        // As a disk loses bytes: nobody has written the file.
        try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
      case "rewritten":
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
      case "gone": try FileManager.default.removeItem(atPath: path)
      case "record cut": try write("{\"format\": 1", store.recordPath(Self.key))
      default:
        let other = TunedCopyKey(model: "2", processor: "", library: "")
        try write(
          String(decoding: record(other).bytes, as: UTF8.self), store.recordPath(Self.key))
      }
      #expect(store.choice(for: Self.key).format == nil)
      #expect(store.soundRecord(for: Self.key) == nil)
    }
  }

  @Test func `leftovers of interrupted runs are swept, and nothing else`() throws {
    try withStore { store in
      try keep(in: store)
      let kept = names(store)
      let leftovers = [
        ".tuning-Q4_0.gguf", "0123456789abcdef.Q8_0.gguf", "0123456789abcdef.json",
        "\(Self.key.name).json.4711.2", "\(Self.key.name).IQ4_NL.gguf",
      ]
      let others = ["my model.gguf", "notes.json", "0123456789abcdef.txt"]
      for name in leftovers + others { try write("x", "\(store.folder)/\(name)") }
      try store.hold { () throws(HybridError) in
        #expect(names(store) == (kept + others).sorted())
        try? write("x", store.temporaryPath(.q4))
      }
      #expect(names(store) == (kept + others).sorted())
      #expect(store.choice(for: Self.key).format == "Q8_0")
    }
  }

  @Test func `a run that fails leaves what was kept before`() throws {
    try withStore { store in
      try keep(in: store)
      let kept = names(store)
      let error = try #require(throws: HybridError.self) {
        try store.hold { () throws(HybridError) in
          try? write("half a", store.temporaryPath(.q8))
          throw HybridError(.cancelled, "stopped")
        }
      }
      #expect(error.code == .cancelled)
      #expect(names(store) == kept)
      #expect(store.choice(for: Self.key).format == "Q8_0")
    }
  }

  @Test func `a new version of llama.cpp replaces the copy of the old one`() throws {
    try withStore { store in
      let later = TunedCopyKey(model: "1-a", processor: "Some CPU", library: "0.5.1")
      let other = TunedCopyKey(model: "2-b", processor: "Some CPU", library: "0.5.0-dev")
      try keep(in: store)
      try keep(other, in: store)
      try keep(later, in: store)
      #expect(store.choice(for: later).format == "Q8_0")
      #expect(store.choice(for: other).format == "Q8_0")
      #expect(names(store).count == 4)
    }
  }

  @Test func `what was kept of one model is removed, and halves, and nothing else`() throws {
    try withStore { store in
      #expect(try store.remove(model: nil).paths.isEmpty)
      #expect(!isPresent(store.folder))
      let elsewhere = TunedCopyKey(model: "1-a", processor: "Another", library: "0.4.0")
      let other = TunedCopyKey(model: "2-b", processor: "Some CPU", library: "0.5.0-dev")
      let half = TunedCopyKey(model: "3-c", processor: "Some CPU", library: "0.5.0-dev")
      for key in [Self.key, elsewhere, other, half] { try keep(key, in: store) }
      // Halves: a record without its copy, and a copy and a record that nothing belongs to.
      try FileManager.default.removeItem(atPath: store.copyPath(half, "Q8_0"))
      let lost = ["0123456789abcdef.Q8_0.gguf", "0123456789abcdef.json", ".tuning-Q4_0.gguf"]
      for name in lost + ["mine.gguf"] { try write("12345", "\(store.folder)/\(name)") }

      let removed = try store.remove(model: "1-a")
      let expected =
        [Self.key, elsewhere].flatMap { ["\($0.name).json", "\($0.name).Q8_0.gguf"] }
        + ["\(half.name).json"] + lost
      #expect(removed.paths.sorted() == expected.map { "\(store.folder)/\($0)" }.sorted())
      #expect(removed.copies == 4)
      let left = ["mine.gguf", "\(other.name).Q8_0.gguf", "\(other.name).json"].sorted()
      #expect(names(store) == left)
      #expect(store.choice(for: other).format == "Q8_0")

      let sizes = try left.reduce(into: [String: UInt64]()) { sizes, name in
        guard name != "mine.gguf" else { return }
        let path = "\(store.folder)/\(name)"
        sizes[name] = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
      }
      let rest = try store.remove(model: nil)
      #expect(rest.paths.count == 2)
      #expect(rest.bytes == sizes.values.reduce(0, +))
      #expect(names(store) == ["mine.gguf"])
    }
  }

  @Test func `nothing is removed while a run is under way`() throws {
    try withStore { store in
      try keep(in: store)
      try store.hold { () throws(HybridError) in
        let error = #expect(throws: HybridError.self) { try store.remove(model: nil) }
        #expect(error?.code == .localBusy)
      }
      #expect(names(store).count == 2)
    }
  }

  @Test func `a model's copies are removed by its path, and all without one`() async throws {
    let folder = try ModelFolder()
    let cache = ["XDG_CACHE_HOME": folder.path + "/cache"]
    let store = try #require(TunedCopies(environment: cache))
    let path = try folder.put()
    let model = try ModelFingerprint.of(try ModelFileHandle(path: path).bytes)
    let key = TunedCopyKey(model: model, processor: "Some CPU", library: "0.5.0-dev")
    for key in [key, Self.key] { try keep(key, in: store) }
    let tuner = ModelTuner(
      modelPath: path, options: .init(), time: SystemTimeSource(), machine: .current,
      environment: cache)
    #expect(try await tuner.removeCopies().copies == 1)
    #expect(store.choice(for: Self.key).format == "Q8_0")
    #expect(try await ModelTuner.removeAllCopies(environment: cache).copies == 1)
    let missing = ModelTuner(modelPath: "/no/such.gguf")
    let error = await #expect(throws: HybridError.self) { try await missing.removeCopies() }
    #expect(error?.code == .modelNotFound)
  }

  #if os(Linux)
    @Test func `a process that was started meanwhile does not keep the lock`() throws {
      try withStore { store in
        var inherited: [Int32] = []
        defer { for descriptor in inherited { close(descriptor) } }
        try store.hold { () throws(HybridError) in
          // What such a process has of it until it runs its own program.
          let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
          inherited = names.compactMap(Int32.init).filter { number in
            let path = "/proc/self/fd/\(number)"
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: path))
              == store.folder
          }.map { dup($0) }
        }
        #expect(inherited.count == 1)
        try store.hold {}
      }
    }
  #endif

  @Test func `two runs at once are refused`() throws {
    try withStore { store in
      try store.hold { () throws(HybridError) in
        let error = #expect(throws: HybridError.self) { try store.hold {} }
        #expect(error?.code == .localBusy)
      }
      try store.hold {}
    }
  }

  @Test(
    arguments: [
      (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c/hybridkit/models"),
      (["HOME": "/h"], "/h/.cache/hybridkit/models"),
      (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/hybridkit/models"), ([:], nil),
    ] as [([String: String], String?)])
  func `copies lie in the user's cache folder`(environment: [String: String], folder: String?) {
    #expect(TunedCopies(environment: environment)?.folder == folder)
  }

  /// What root may not do either: the tests may run as root.
  @Test(
    arguments: [
      ("/dev/null/hybridkit", "/dev/null is no folder"),
      ("/dev/full/hybridkit/models", "/dev/full is no folder"),
      ("/proc/hybridkit/models", "/proc/hybridkit/models cannot be used"),
      // It is there, and cannot be written to.
      ("/proc/self", "/proc/self cannot be used"),
    ])
  func `a folder that cannot be used is an error of the configuration, before any work`(
    folder: String, says: String
  ) throws {
    let error = try #require(throws: HybridError.self) {
      try TunedCopies(folder: folder).hold { Issue.record("it was used") }
    }
    #expect(error.code == .invalidConfiguration)
    #expect(error.details["folder"]?.string == folder)
    #expect(error.message.contains(says), "\(error.message)")
    #expect(error.nextStep?.contains("XDG_CACHE_HOME") == true)
  }

  @Test func `a link that leads to itself in the folder's place is named`() throws {
    try withStore { store in
      let parent = String(store.folder.dropLast("/models".count))
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: store.folder, withDestinationPath: store.folder)
      let error = try #require(throws: HybridError.self) { try store.hold {} }
      #expect(error.code == .invalidConfiguration)
      #expect(error.message.contains("\(store.folder) is no folder"), "\(error.message)")
    }
  }

  @Test(arguments: [ENOSPC, EDQUOT])
  func `a full disk is told as one`(number: Int32) {
    let error = CacheFolder.unusable("/c", number)
    #expect(error.code == .insufficientDiskSpace)
    #expect(error.message.contains("/c"))
  }

  @Test func `a copy whose record cannot be written is not left`() throws {
    try withStore { store in
      let error = try #require(throws: HybridError.self) {
        try store.hold { () throws(HybridError) in
          // A folder in the record's place: nothing can be renamed to it.
          try? FileManager.default.createDirectory(
            atPath: store.recordPath(Self.key) + "/x", withIntermediateDirectories: true)
          try? write("the copy", store.temporaryPath(.q8))
          _ = try store.keep(.q8, record())
        }
      }
      #expect(error.code == .invalidConfiguration)
      #expect(names(store) == ["\(Self.key.name).json"])
    }
  }
}
