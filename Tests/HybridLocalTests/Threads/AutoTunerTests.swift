import Foundation
import HybridCore
import HybridLocal
import Synchronization
import Testing

/// From the store or by measuring, on machines that are only written down and with measurements that
/// are only said.
@Suite struct AutoTunerTests {
  /// A folder with a model file and, once something is remembered, a store.
  private final class Place {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tuner-\(UUID())")
    var store: TuneStore { TuneStore(path: folder.appending(path: "cache/threads.json").path()) }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try write(model: "one model")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var model: String { folder.appending(path: "model.gguf").path() }

    func write(model text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: model))
    }

    func tuner(
      _ tree: MachineTree, _ settings: ThreadSettings = .none, store: TuneStore? = nil
    ) -> AutoTuner {
      AutoTuner(
        modelPath: model, machine: tree.machine, settings: settings, store: store ?? self.store)
    }
  }

  private let found = ThreadCounts(decode: 3, prefill: 5)

  /// What tuning comes to where the measurement says so, and whether it was asked.
  private func tune(
    _ tuner: AutoTuner, _ outcome: Result<ThreadTuner.Outcome, HybridError>
  ) -> (result: AutoTuneResult, wasMeasured: Bool) {
    var tuner = tuner
    var count = 0
    let result = tuner.tune { _, _ throws(HybridError) in
      count += 1
      return try outcome.get()
    }
    return (result, count == 1)
  }

  @Test func `what was measured once is remembered and never measured again`() throws {
    let place = try Place()
    let tree = MachineTree(cores: 8, quota: 6)
    #expect(place.tuner(tree).wantsMeasuring)
    #expect(place.tuner(tree).remembered == AutoTuneResult())
    let first = tune(place.tuner(tree), .success(.counts(found)))
    #expect(first.wasMeasured)
    #expect(first.result == AutoTuneResult(threads: found, origin: .measured))
    let second = tune(place.tuner(tree), .success(.counts(ThreadCounts(decode: 1, prefill: 1))))
    #expect(!second.wasMeasured)
    #expect(second.result == AutoTuneResult(threads: found, origin: .remembered))
    #expect(!place.tuner(tree).wantsMeasuring)
  }

  @Test func `the measurement is told the guess and the CPUs`() throws {
    let place = try Place()
    var tuner = place.tuner(try fixtureMachine("smt"))
    var told: (ThreadCounts, Int)?
    _ = tuner.tune { guess, budget throws(HybridError) in
      told = (guess, budget.logicalCPUs)
      return .cancelled
    }
    #expect(told?.0 == ThreadCounts(decode: 4, prefill: 8))
    #expect(told?.1 == 8)
  }

  @Test(arguments: ["quota", "CPUs", "processor", "model", "model's size"])
  func `another quota or machine or model is measured anew`(change: String) throws {
    let place = try Place()
    var tree = MachineTree(cores: 8, quota: 6)
    tree.files["/proc/cpuinfo"] = "model name\t: One\n"
    _ = tune(place.tuner(tree), .success(.counts(found)))
    switch change {
    case "quota": tree.files["/sys/fs/cgroup/cpu.max"] = "400000 100000\n"
    case "CPUs": tree.files["/proc/thread-self/status"] = "Cpus_allowed_list: 0-5\n"
    case "processor": tree.files["/proc/cpuinfo"] = "model name\t: Two\n"
    case "model": try place.write(model: "two model")
    default: try place.write(model: "one model, longer")
    }
    let other = ThreadCounts(decode: 2, prefill: 2)
    let again = tune(place.tuner(tree), .success(.counts(other)))
    #expect(again.wasMeasured)
    #expect(again.result == AutoTuneResult(threads: other, origin: .measured))
  }

  @Test(arguments: [
    ["HYBRID_THREADS": "2"], ["LLAMA_ARG_THREADS": "2"], [:],
  ])
  func `a count that was set wins and nothing is measured`(environment: [String: String]) throws {
    let place = try Place()
    let tree = MachineTree(cores: 8)
    _ = tune(place.tuner(tree), .success(.counts(found)))
    let settings = try ThreadSettings(
      decode: environment.isEmpty ? 2 : nil, environment: environment)
    for tuner in [place.tuner(tree, settings), place.tuner(MachineTree(cores: 4), settings)] {
      let (result, wasMeasured) = tune(tuner, .success(.counts(found)))
      #expect(!wasMeasured)
      #expect(result == AutoTuneResult())
    }
    let known = place.tuner(tree, settings).known
    #expect(tree.machine.threadPlan(settings, tuned: known).decode.count == 2)
    #expect(tree.machine.threadPlan(settings, tuned: known).prefill.count == 2)
    #expect(tree.machine.threadPlan(tuned: known).decode == ThreadCount(3, .tuned))
  }

  @Test(arguments: ["v1", "empty"])
  func `where there is one thread or nothing is known of the CPUs nothing is measured`(
    name: String
  ) throws {
    var tree = try fixtureMachine(name)
    if name == "v1" { tree.files["/proc/thread-self/status"] = "Cpus_allowed_list: 0\n" }
    let place = try Place()
    #expect(!place.tuner(tree).wantsMeasuring)
    #expect(!tune(place.tuner(tree), .success(.counts(found))).wasMeasured)
  }

  @Test(
    arguments: [
      (.success(.crowded(cpus: 1.04)), "other work took 1.0 CPUs"),
      (.success(.cancelled), "stopped"),
      (.success(.refused(threads: 9)), "no room for 9 threads"),
      (.failure(HybridError(.decodeFailed, "a decode for tuning ended badly")), "ended badly"),
    ] as [(Result<ThreadTuner.Outcome, HybridError>, String)])
  func `a measurement that failed is told and not remembered`(
    outcome: Result<ThreadTuner.Outcome, HybridError>, warning: String
  ) throws {
    let place = try Place()
    let tree = MachineTree(cores: 8)
    let (result, wasMeasured) = tune(place.tuner(tree), outcome)
    #expect(wasMeasured)
    #expect(result.threads == nil && result.origin == .none)
    #expect(result.warning?.contains(warning) == true, "\(result)")
    #expect(place.store.state == .absent)
    #expect(place.tuner(tree).wantsMeasuring)
  }

  @Test func `a quota that changes meanwhile spoils the measurement`() throws {
    let place = try Place()
    let quota = Mutex("600000 100000\n")
    let files = MachineTree(cores: 8).files
    let changing = Machine(
      files: MachineFiles { path in
        path == "/sys/fs/cgroup/cpu.max" ? quota.withLock { $0 } : files[path]
      })
    var tuner = AutoTuner(
      modelPath: place.model, machine: changing, settings: .none, store: place.store)
    let result = tuner.tune { _, _ throws(HybridError) in
      quota.withLock { $0 = "200000 100000\n" }
      return .counts(found)
    }
    #expect(result.threads == nil)
    #expect(result.warning?.contains("changed while") == true)
    #expect(place.store.state == .absent)
  }

  @Test func `a store that cannot be written or read costs a warning alone`() throws {
    let place = try Place()
    let tree = MachineTree(cores: 8)
    let unwritable = TuneStore(path: "/proc/none/threads.json")
    let (result, _) = tune(place.tuner(tree, store: unwritable), .success(.counts(found)))
    // The counts hold for this process.
    #expect(result.threads == found && result.origin == .measured)
    #expect(result.warning == "/proc/none/threads.json cannot be written")

    try FileManager.default.createDirectory(
      atPath: place.store.path, withIntermediateDirectories: true)
    #expect(place.tuner(tree).remembered.warning == "\(place.store.path) cannot be read")
    let folder = tune(place.tuner(tree), .success(.counts(found)))
    #expect(folder.result.threads == found)
    #expect(folder.result.warning == "\(place.store.path) cannot be written")

    let nowhere = AutoTuner(
      modelPath: place.model, machine: tree.machine, settings: .none,
      store: TuneStore(environment: [:]))
    let homeless = tune(nowhere, .success(.counts(found)))
    #expect(homeless.result.threads == found)
    #expect(homeless.result.warning?.contains("HOME") == true)
  }

  @Test func `a damaged store is told and replaced by the next measurement`() throws {
    let place = try Place()
    let tree = MachineTree(cores: 8)
    _ = tune(place.tuner(tree), .success(.counts(found)))
    try Data("{\"form".utf8).write(to: URL(filePath: place.store.path))
    #expect(place.tuner(tree).remembered.warning?.contains("is damaged") == true)
    let (result, wasMeasured) = tune(place.tuner(tree), .success(.counts(found)))
    #expect(wasMeasured)
    #expect(result == AutoTuneResult(threads: found, origin: .measured))
    #expect(place.store.state == .readable(entries: 1))
  }

  @Test func `a model file that is not there is no error of tuning`() throws {
    let place = try Place()
    try FileManager.default.removeItem(atPath: place.model)
    let tuner = place.tuner(MachineTree(cores: 8))
    #expect(!tuner.wantsMeasuring)
    #expect(!tune(tuner, .success(.counts(found))).wasMeasured)
    #expect(tuner.remembered.warning?.contains("could not be read") == true)
  }

  @Test func `tuned counts are the controller's ceilings and it adapts below them`() throws {
    let tree = MachineTree(cores: 8)
    let plan = ThreadPlan(budget: tree.machine.cpuBudget(), tuned: found)
    var controller = ThreadController(ceilings: plan.counts)
    #expect(controller.threads(for: StepShape(generated: 1)) == 3)
    #expect(controller.threads(for: StepShape(generated: 0, prompt: 64)) == 5)
  }
}
