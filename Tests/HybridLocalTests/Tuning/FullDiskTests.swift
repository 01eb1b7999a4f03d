#if LocalLlama && os(Linux)
  import Foundation
  import HybridCore
  import HybridTesting
  import ModelFileCases
  import Testing

  @testable import HybridLocal

  /// Tuning into a disk of one MiB, which a copy of the small model fits. Skipped where nothing can be
  /// mounted.
  @Suite(.enabled(if: SmallDisk.isPossible)) struct FullDiskTests {
    private static func tune(
      into disk: SmallDisk, space: DiskSpace = .real, formats: [WeightFormat] = [.q8],
      progress: (@Sendable (ModelTuner.Step) -> Void)? = nil
    ) async throws -> ModelTuning {
      try await GGUFWriter.tinyModel().withFile { model in
        let options = ModelTuner.Options(
          formats: formats, limits: QualityLimits(divergence: 100, perplexity: 100), leastGain: 0,
          promptTokens: 16, outputTokens: 4, textTokens: 200, rounds: 1, threads: 1)
        return try await ModelTuner(
          modelPath: model, options: options, time: SystemTimeSource(),
          machine: MachineTree(cores: 2).machine, environment: ["XDG_CACHE_HOME": disk.path],
          disk: space
        ).tune(progress: progress)
      }
    }

    @Test func `a copy that fits is kept there`() async throws {
      let disk = try #require(SmallDisk())
      let tuning = try await Self.tune(into: disk, formats: WeightFormat.all)
      #expect(tuning.keptPath != nil)
      #expect(disk.names().count == 2)
    }

    @Test func `a disk that is full is told before any work`() async throws {
      let disk = try #require(SmallDisk())
      disk.fill()
      // Whatever the system says of its room: a quota is no part of that.
      let error = await #expect(throws: HybridError.self) {
        _ = try await Self.tune(into: disk, space: DiskSpace { _ in nil }) { step in
          Issue.record("\(step)")
        }
      }
      #expect(error?.code == .insufficientDiskSpace)
      #expect(error?.details["folder"]?.string == disk.path + "/hybridkit/models")
      #expect(disk.names().isEmpty)
    }

    @Test func `a disk that fills up while a copy is written leaves none`() async throws {
      let disk = try #require(SmallDisk())
      let error = await #expect(throws: HybridError.self) {
        _ = try await Self.tune(into: disk, formats: [.q8, .q4]) { step in
          if case .converting(_, let fraction) = step, fraction > 0 { disk.fill() }
        }
      }
      #expect(error?.code == .insufficientDiskSpace)
      // Told where it happened, not when the record could not be written.
      #expect((error?.details["needed"]?.int ?? 0) > 10_000)
      #expect(disk.names().isEmpty)
    }

    @Test func `a disk that fills up before the record is written leaves no copy`() async throws {
      let disk = try #require(SmallDisk())
      let error = await #expect(throws: HybridError.self) {
        _ = try await Self.tune(into: disk) { step in
          if case .timing = step { disk.fill() }
        }
      }
      #expect(error?.code == .insufficientDiskSpace)
      #expect(error?.details["folder"]?.string == disk.path + "/hybridkit/models")
      #expect(disk.names().isEmpty)
    }
  }
#endif
