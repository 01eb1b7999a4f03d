#if os(Linux)
  import Glibc
  import HybridCore
  import HybridLocal
  import Testing

  @testable import hybrid

  /// The program under limits that the kernel really sets, where this machine lets a test set them.
  @Suite struct RealLimitTests {
    /// Runs the program after a line of the shell's.
    private func run(
      after line: String, _ arguments: [String]
    ) async throws -> HybridProcess.Result {
      try await HybridProcess.run(
        ["-c", line + #"; exec "$0" "$@""#, BuiltProgram.path] + arguments, program: "/bin/sh")
    }

    private static let hasTaskset = unsafe access("/usr/bin/taskset", X_OK) == 0

    @Test(.enabled(if: hasTaskset, "there is no taskset to limit a process by"))
    func `a process pinned to one CPU uses one thread`() async throws {
      let cpu = try #require(Machine.current.cpuBudget().allowed.cpus.last)
      let result = try await run(
        after: "taskset -cp \(cpu) $$ >/dev/null", ["doctor", "--json", "--no-local"])
      let json = try JSONReader().read(result.output)
      #expect(json["threads"]?["affinity"] == .string("\(cpu)"), "\(result)")
      #expect(json["threads"]?["allowedCPUs"] == .string("\(cpu)"))
      #expect(json["threads"]?["decode"]?["count"] == 1)
      #expect(json["threads"]?["prefill"]?["count"] == 1)
    }

    @Test(.enabled(if: QuotaGroup.isPossible, "control groups cannot be made here"))
    func `a process in a group with a quota is told of it`() async throws {
      let group = try #require(QuotaGroup(quotaMicroseconds: 50_000))
      let result = try await run(
        after: "echo $$ > \(group.folder)/cgroup.procs", ["doctor", "--json", "--no-local"])
      let json = try JSONReader().read(result.output)
      #expect(json["threads"]?["quotas"]?.array?.first?["cpus"]?.double == 0.5, "\(result)")
      #expect(json["threads"]?["quotas"]?.array?.first?["file"] == .string(group.file))
      #expect(json["threads"]?["decode"]?["count"] == 1)
      #expect(json["threads"]?["decode"]?["source"] == .string("quota in \(group.file)"))
      #expect(json["cpus"]?["throttled"]?["periods"]?.int != nil)
    }

    #if LocalLlama
      @Test(.enabled(if: QuotaGroup.isPossible, "control groups cannot be made here"))
      func `an answer tells how long its quota stopped it`() async throws {
        let group = try #require(QuotaGroup(quotaMicroseconds: 50_000))
        let result = try await run(
          after: "echo $$ > \(group.folder)/cgroup.procs",
          ["ask", "--only", "local", "--json", "-n", "8", "--context", "512", "Hi"])
        let json = try JSONReader().read(result.output)
        #expect(json["threads"] == ["decode": 1, "prefill": 1], "\(result)")
        #expect((json["timings"]?["throttled"]?.double).map { $0 > 0 } == true, "\(result)")
      }
    #endif
  }

  /// A control group below this process's own, with a CPU quota; removed when it is let go.
  private final class QuotaGroup: Sendable {
    let folder: String
    /// Holds the quota.
    let file: String

    static let isPossible = QuotaGroup(quotaMicroseconds: 100_000) != nil

    init?(quotaMicroseconds: Int) {
      guard let own = Machine.current.controlGroups().group(for: "cpu"), let parent = own.folder
      else { return nil }
      let number = UInt32.random(in: 0...(.max))
      folder = "\(parent)/hybrid-test-\(number)"
      file = folder + (own.version == .v1 ? "/cpu.cfs_quota_us" : "/cpu.max")
      guard unsafe mkdir(folder, 0o755) == 0 else { return nil }
      let text = own.version == .v1 ? "\(quotaMicroseconds)" : "\(quotaMicroseconds) 100000"
      // A group of version 2 has the file only where its parent hands the controller down.
      guard Self.write(text, to: file), unsafe access("\(folder)/cgroup.procs", W_OK) == 0 else {
        unsafe rmdir(folder)
        return nil
      }
    }

    deinit {
      unsafe rmdir(folder)
    }

    private static func write(_ text: String, to path: String) -> Bool {
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
  }
#endif
