import Foundation
import HybridCore
import HybridLocal
import HybridTesting
import ModelFileCases
import Testing

@testable import hybrid

/// What doctor says of machines that are only written down.
@Suite struct DiagnosisReportTests {
  private func diagnosis(
    _ machine: String, _ arguments: [String] = ["--no-local"], _ environment: [String: String] = [:]
  ) async throws -> Diagnosis {
    let text = try #require(textOfFile(fixture("machines/\(machine).txt")))
    let tree = try #require(MachineTree(parsing: text))
    return try await Diagnosis.make(
      ArgumentParser(options: Command.doctor.options).parse(arguments), Environment(environment),
      machine: tree.machine)
  }

  /// A row's value and source, with single blanks.
  private func row(_ name: String, of report: String) -> String? {
    for line in report.split(separator: "\n") {
      let words = line.split(separator: " ").joined(separator: " ")
      if line.hasPrefix("  \(name) ") { return String(words.dropFirst(name.count + 1)) }
    }
    return nil
  }

  @Test(
    arguments: [
      ("v2", "quota", "2.50 CPUs: 250000 of 100000 µs (/sys/fs/cgroup/cpu.max)"),
      ("v2", "decode", "2 (quota in /sys/fs/cgroup/cpu.max)"),
      ("v2", "cgroup cpu, cpuset, memory", "v2, / (/sys/fs/cgroup)"),
      (
        "v2", "throttled",
        "52 ms in 31 periods (cpu.stat of the control groups, since they were made)"
      ),
      ("v2-nested", "decode", "7 (quota in /sys/fs/cgroup/system.slice/work.slice/cpu.max)"),
      ("hybrid", "cgroup cpu", "v1, /jobs (/sys/fs/cgroup/cpu/jobs)"),
      ("hybrid", "cgroup memory", "v1, /jobs (/mnt/memory tree/jobs)"),
      ("namespaced", "cgroup cpu, cpuset, memory", "v2, /../sibling (/sys/fs/cgroup)"),
      ("no-cgroup", "cgroup", "none (/proc/self/cgroup)"),
      ("no-cgroup", "quota", "none (control groups)"),
      ("no-cgroup", "throttled", "unknown (cpu.stat of the control groups, since they were made)"),
      ("no-cgroup", "CPU pressure", "unknown (some task waited, /proc/pressure/cpu)"),
      ("smt", "SMT siblings", "0,4 1,5 2,6 3,7 (/sys/devices/system/cpu/cpu*/topology)"),
      ("smt", "prefill", "8 (logical CPUs)"),
      ("smt-pinned", "affinity", "0-1,4 (Cpus_allowed_list in /proc/thread-self/status)"),
      ("offline", "offline", "2-3,6 (/sys/devices/system/cpu/present)"),
      ("big-little", "slow cores", "0-3 (/sys/devices/system/cpu/cpu0/cpu_capacity)"),
      ("empty", "decode", "1 (the machine does not tell its CPUs)"),
      ("malformed", "SMT siblings", "unknown (/sys/devices/system/cpu/cpu*/topology)"),
    ])
  func `each number stands on a line with its source`(
    machine: String, name: String, text: String
  ) async throws {
    let report = DiagnosisReport.text(try await diagnosis(machine))
    #expect(row(name, of: report) == text, "\(report)")
  }

  @Test func `the columns of a section are aligned`() async throws {
    let report = DiagnosisReport.text(try await diagnosis("smt"))
    let lines = report.split(separator: "\n").drop { $0 != "CPUs" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }
    let columns = lines.compactMap { line in
      line.firstRange(of: "  (").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(columns.count == lines.count)
    #expect(Set(columns).count == 1, "\(report)")
  }

  @Test func `the same numbers stand in the JSON`() async throws {
    let json = try await diagnosis("v2").json
    #expect(json["threads"]?["decode"]?["count"] == 2)
    #expect(json["threads"]?["quotas"]?.array?.first?["period"]?.double == 0.1)
    #expect(json["cpus"]?["controlGroups"]?.array?.first?["version"] == "v2")
    #expect(json["cpus"]?["throttled"]?["periods"]?.int == 31)
    #expect(json["load"] == .null)
    let smt = try await diagnosis("smt").json
    #expect(smt["cpus"]?["cores"]?.array?.count == 4)
    #expect(smt["cpus"]?["cores"]?.array?.first == "0,4")
    #expect(try await diagnosis("offline").json["cpus"]?["offline"] == "2-3,6")
  }

  #if LocalLlama
    @Test(
      arguments: [
        ([], "context", "8192 tokens (what the model was trained on)"),
        (["--context", "512"], "context", "512 tokens (--context)"),
        ([], "parallel requests", "16 (four a core within the quota, 4 to 16)"),
        (["--parallel", "2"], "parallel requests", "2 (--parallel)"),
        (["--deterministic"], "parallel requests", "1 (--deterministic)"),
        (
          ["--context", "512", "--parallel", "2"], "total context",
          "1024 tokens (parallel requests times the context)"
        ),
        ([], "total context", "8192 tokens (default limit)"),
        ([], "controller", "on (follows the load of the moment, up to these counts)"),
        (["--threads", "2"], "controller", "off (the count is set)"),
        (["--deterministic"], "controller", "off (--deterministic)"),
        ([], "tuned", "nothing (nothing is remembered in /none/hybridkit/threads.json)"),
        (["--auto-tune"], "tuned", "nothing (the next load would measure)"),
        (["--auto-tune", "--threads", "2"], "tuned", "nothing (the count is set)"),
      ] as [([String], String, String)])
    func `what a load would take is told with what decides it`(
      arguments: [String], name: String, text: String
    ) async throws {
      let report = DiagnosisReport.text(
        try await diagnosis("smt", arguments, ["XDG_CACHE_HOME": "/none"]))
      #expect(row(name, of: report) == text, "\(report)")
    }

    @Test func `the formats of the weights are told, and whether this CPU is fast with them`()
      async throws
    {
      let found = try await diagnosis("smt", [], ["XDG_CACHE_HOME": "/none"])
      let report = DiagnosisReport.text(found)
      #expect(row("weights", of: report)?.contains("Q4_1 ") == true, "\(report)")
      let kernels = try #require(row("fast kernels", of: report))
      #expect(kernels.hasPrefix("for ") && kernels.contains(" % of the weights (llama.cpp has"))
      let copy = try #require(row("copy", of: report))
      #expect(copy.hasPrefix("none (it was not tuned on this CPU with llama.cpp "), "\(copy)")
      let json = found.json["localModel"]
      #expect((json?["weights"]?["Q4_1"]?.int ?? 0) > 1_000_000)
      #expect((0...1).contains(json?["fastKernelShare"]?.double ?? -1))
      #expect(json?["tunedCopy"]?["format"] == .null)
    }

    @Test(arguments: [false, true])
    func `what is said of the weights says of which file`(usesCopy: Bool) async throws {
      var found = try await diagnosis(
        "smt", usesCopy ? ["--tuned"] : [], ["XDG_CACHE_HOME": "/none"])
      #expect(found.model?.usesTunedCopy == usesCopy)
      let path = try #require(found.model?.choice.path)
      found.model?.tunedCopy = .used(format: "Q8_0", path: path)
      let report = DiagnosisReport.text(found)
      #expect(row("weights", of: report)?.hasSuffix("(of the file)") == true)
      let copy = try #require(row("copy", of: report))
      #expect(
        copy
          == (usesCopy
            ? "Q8_0 (in use, as --tuned asks: \(path))"
            : "Q8_0 (not in use; --tuned would load \(path))"))
      #expect(report.contains("(of the copy)") == usesCopy)
      #expect(report.contains("A load would take, of the tuned copy\n") == usesCopy)
      #expect(found.json["localModel"]?["tunedCopy"]?["inUse"]?.bool == usesCopy)
      #expect((found.json["localModel"]?["tunedCopy"]?["fastKernelShare"] != .null) == usesCopy)
    }

    @Test func `an embedding model is told with what it is good for and would take`() async throws {
      var writer = GGUFWriter.tinyModel()
      writer.set("llama.pooling_type", .uint32(1))
      let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gguf").path()
      try Data(writer.file()).write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let found = try await diagnosis("smt", ["--local-model", path])
      let report = DiagnosisReport.text(found)
      #expect(row("use", of: report) == "embeddings (hybrid embed); it does not chat")
      #expect(report.contains("Embedding texts would take\n"))
      #expect(row("memory needed", of: report)?.contains(" MB (weights ") == true, "\(report)")
      #expect(found.problems.first?.remedy?.contains("hybrid embed") == true)
      #expect(found.json["localModel"]?["use"] == "embedding")
      #expect(!found.canAnswer)
    }

    @Test func `a context beyond the trained one is refused unless it is allowed`() async throws {
      let refused = try await diagnosis("smt", ["--context", "9000"])
      #expect(!refused.canAnswer)
      #expect(refused.problems.contains { $0.message.contains("exceeds the 8192") })
      let allowed = try await diagnosis("smt", ["--context", "9000", "--beyond-trained"])
      #expect(allowed.canAnswer, "\(allowed.problems)")
      #expect(allowed.json["load"]?["contextLength"]?["value"]?.int == 9_000)
    }
  #endif

  @Test func `deterministic answers guess nothing`() throws {
    let parsed = try ArgumentParser(options: Command.ask.options)
      .parse(["--deterministic", "--lookup"])
    let error = try #require(throws: HybridError.self) { try LocalOptions(parsed) }
    #expect(error.code == .usage)
  }

  @Test func `the switches of the local side are understood`() throws {
    let parsed = try ArgumentParser(options: Command.ask.options).parse([
      "--auto-tune", "--lookup", "--beyond-trained", "--context=9000", "--parallel=3",
      "--threads=2",
    ])
    let options = try LocalOptions(parsed)
    #expect(options.autoTunes && options.usesLookup && options.allowsBeyondTrained)
    #expect(!options.isDeterministic)
    #expect(options.context == 9_000 && options.parallel == 3 && options.threads == 2)
  }
}
