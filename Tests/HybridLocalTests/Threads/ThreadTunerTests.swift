import Foundation
import HybridCore
import HybridLocal
import Testing

@Suite struct ThreadTunerTests {
  private func tune(
    guess: ThreadCounts, most: Int, time: (ThreadTuner.Measurement, Int) -> Duration
  ) -> (ThreadCounts?, [ThreadTuner.Measurement]) {
    var tuner = ThreadTuner(guess: guess, most: most)
    var measured: [ThreadTuner.Measurement] = []
    while let next = tuner.next {
      #expect(tuner.result == nil)
      tuner.record(time(next, measured.count))
      measured.append(next)
    }
    return (tuner.result, measured)
  }

  @Test(arguments: [
    (1, 1, [1]), (2, 2, [1, 2]), (4, 8, [2, 3, 4, 5]), (8, 8, [4, 7, 8]), (1, 4, [1, 2]),
  ])
  func `the counts around the guess are tried`(guess: Int, most: Int, expected: [Int]) {
    let (_, measured) = tune(guess: ThreadCounts(decode: guess, prefill: guess), most: most) {
      _, _ in
      .milliseconds(1)
    }
    for kind in [ThreadTuner.Kind.decode, .prefill] {
      #expect(Set(measured.filter { $0.kind == kind }.map(\.threads)).sorted() == expected)
    }
  }

  @Test func `the fastest wins for each kind whatever one disturbed round says`() {
    let (result, _) = tune(guess: ThreadCounts(decode: 4, prefill: 8), most: 8) { next, place in
      if place < 3 { return .seconds(place) }
      return .milliseconds(100 + 10 * abs(next.threads - (next.kind == .decode ? 3 : 8)))
    }
    #expect(result == ThreadCounts(decode: 3, prefill: 8))
  }

  @Test func `the rounds of a slow model end when enough is measured`() {
    let (result, measured) = tune(guess: ThreadCounts(decode: 2, prefill: 2), most: 2) { next, _ in
      .seconds(next.threads == 1 ? 4 : 2)
    }
    #expect(measured.count == 4)
    #expect(result == ThreadCounts(decode: 2, prefill: 2))
  }

  @Test func `a count is changed once a round`() {
    let (_, measured) = tune(guess: ThreadCounts(decode: 4, prefill: 8), most: 8) { _, _ in
      .milliseconds(1)
    }
    let round = measured.prefix(measured.count / 3)
    #expect(round.map(\.threads) == round.map(\.threads).sorted())
    #expect(Set(round).count == round.count)
  }

  @Test(arguments: [(1, 1, false), (2, 2, true), (1, 2, true), (8, 64, true)])
  func `there must be something to choose from`(guess: Int, most: Int, isOfUse: Bool) {
    let tuner = ThreadTuner(guess: ThreadCounts(decode: guess, prefill: guess), most: most)
    #expect(tuner.isOfUse == isOfUse)
  }

  @Test func `of counts that are as good the smallest wins`() {
    let (result, _) = tune(guess: ThreadCounts(decode: 4, prefill: 4), most: 4) { next, _ in
      .microseconds(1_000 - next.threads * 5)
    }
    #expect(result == ThreadCounts(decode: 2, prefill: 2))
  }
}

@Suite struct TuneStoreTests {
  private let key = TuneKey(model: "98362432-abc", machine: "Processor; CPUs 0-1", quota: "1.5")
  private let counts = ThreadCounts(decode: 2, prefill: 3)

  private func withStore(_ body: (TuneStore) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tuned-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(TuneStore(path: folder.appending(path: "cache/hybridkit/threads.json").path()))
  }

  @Test func `what was found is known to the next process`() throws {
    try withStore { store in
      #expect(store.counts(for: key) == nil)
      #expect(store.remember(counts, for: key))
      #expect(TuneStore(path: store.path).counts(for: key) == counts)
      #expect(store.remember(ThreadCounts(decode: 1, prefill: 1), for: key))
      #expect(store.counts(for: key) == ThreadCounts(decode: 1, prefill: 1))
      let folder = URL(filePath: store.path).deletingLastPathComponent().path()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["threads.json"])
    }
  }

  @Test func `another model or machine or quota is another entry`() throws {
    try withStore { store in
      store.remember(counts, for: key)
      for other in [
        TuneKey(model: "1-abc", machine: key.machine, quota: key.quota),
        TuneKey(model: key.model, machine: "Processor; CPUs 0-3", quota: key.quota),
        TuneKey(model: key.model, machine: key.machine, quota: nil),
      ] {
        #expect(store.counts(for: other) == nil)
        store.remember(ThreadCounts(decode: 7, prefill: 7), for: other)
      }
      #expect(store.counts(for: key) == counts)
    }
  }

  @Test(arguments: [
    "", "{", "null", "[]", "{\"format\":1}", "{\"format\":2,\"entries\":[]}", "\u{0}\u{1}",
    "{\"format\":1,\"entries\":[1,{},{\"model\":\"98362432-abc\",\"machine\":\"Processor; CPUs 0-1\","
      + "\"quota\":\"1.5\",\"decode\":0,\"prefill\":99999}]}",
  ])
  func `a damaged or foreign file counts as empty and is replaced`(text: String) throws {
    try withStore { store in
      let url = URL(filePath: store.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      #expect(store.counts(for: key) == nil)
      #expect(store.remember(counts, for: key))
      #expect(store.counts(for: key) == counts)
    }
  }

  @Test(
    arguments: [
      ("{", .damaged), ("", .damaged), ("{\"format\":2,\"entries\":[]}", .damaged),
      ("{\"format\":1,\"entries\":[]}", .readable(entries: 0)), (nil, .absent),
    ] as [(String?, TuneStore.State)])
  func `what is wrong with the file can be told`(text: String?, state: TuneStore.State) throws {
    try withStore { store in
      let url = URL(filePath: store.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.map { try Data($0.utf8).write(to: url) }
      #expect(store.state == state)
      store.remember(counts, for: key)
      #expect(store.state == .readable(entries: 1))
    }
    try withStore { store in
      try FileManager.default.createDirectory(
        atPath: store.path, withIntermediateDirectories: true)
      #expect(store.state == .unreadable)
    }
  }

  @Test func `writers at once lose nothing and a reader never sees half a file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tuned-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "hybridkit/threads.json").path()
    // Each opens the folder for itself, as another process does: the lock is the open folder's.
    let keys = (0..<32).map { TuneKey(model: "\($0)", machine: "m", quota: nil) }
    try #require(TuneStore(path: path).remember(counts, for: key))
    await withTaskGroup(of: Bool.self) { group in
      for key in keys {
        group.addTask {
          TuneStore(path: path).remember(ThreadCounts(decode: 1, prefill: 2), for: key)
        }
        group.addTask {
          if case .readable = TuneStore(path: path).state { true } else { false }
        }
      }
      for await isFine in group { #expect(isFine) }
    }
    let store = TuneStore(path: path)
    #expect(store.state == .readable(entries: 33))
    for key in keys { #expect(store.counts(for: key) != nil, "\(key.model)") }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "hybridkit").path())
    #expect(names == ["threads.json"])
  }

  @Test func `a place that cannot be written is no error`() throws {
    #expect(!TuneStore(path: "/proc/none/threads.json").remember(counts, for: key))
    #expect(!TuneStore(path: "").remember(counts, for: key))
    try withStore { store in
      try FileManager.default.createDirectory(
        atPath: store.path, withIntermediateDirectories: true)
      #expect(!store.remember(counts, for: key))
    }
  }

  @Test func `the file does not grow without end`() throws {
    try withStore { store in
      for number in 0..<80 {
        store.remember(counts, for: TuneKey(model: "\(number)", machine: "m", quota: nil))
      }
      #expect(store.counts(for: TuneKey(model: "79", machine: "m", quota: nil)) == counts)
      #expect(store.counts(for: TuneKey(model: "0", machine: "m", quota: nil)) == nil)
      let text = try String(contentsOfFile: store.path, encoding: .utf8)
      #expect(text.count < 20_000)
    }
  }

  @Test(
    arguments: [
      (["XDG_CACHE_HOME": "/c"], "/c/hybridkit/threads.json"),
      (["XDG_CACHE_HOME": "c", "HOME": "/h"], "/h/.cache/hybridkit/threads.json"),
      (["HOME": "/h"], "/h/.cache/hybridkit/threads.json"), ([:], nil),
    ] as [([String: String], String?)])
  func `it lies in the user's cache`(environment: [String: String], path: String?) {
    #expect(TuneStore(environment: environment)?.path == path)
  }

  @Test func `the key tells model and machine and quota`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func key(_ bytes: [UInt8], _ tree: MachineTree) throws -> TuneKey {
      let url = folder.appending(path: "model")
      try Data(bytes).write(to: url)
      return try TuneKey(modelPath: url.path(), machine: tree.machine)
    }
    var tree = MachineTree(cores: 2, quota: 1.5)
    tree.files["/proc/cpuinfo"] =
      "processor\t: 0\nmodel name\t: A Processor\n\nmodel name\t: Other\n"
    var bytes = [UInt8](repeating: 7, count: 200_000)
    let first = try key(bytes, tree)
    #expect(first.machine == "A Processor; CPUs 0-1")
    #expect(first.quota == "1.5")
    #expect(first.model.hasPrefix("200000-"))
    let again = try key(bytes, tree)
    #expect(again == first)
    for place in [0, 199_999] {
      bytes[place] = 8
      let other = try key(bytes, tree)
      #expect(other.model != first.model)
      bytes[place] = 7
    }
    #expect(throws: ModelFileError.self) {
      try TuneKey(modelPath: folder.appending(path: "none").path(), machine: tree.machine)
    }
  }
}
