#if LocalLlama
  import Dispatch
  import Foundation
  import HybridCore
  import ModelFileCases
  import Testing

  @testable import HybridLocal

  /// llama.cpp's quantiser on a model of 150 KB.
  @Suite struct ConversionTests {
    private func withModel(
      _ change: (inout GGUFWriter) -> Void = { _ in },
      _ body: (_ model: String, _ cache: String) async throws -> Void
    ) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "convert-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      var writer = GGUFWriter.tinyModel()
      change(&writer)
      let path = folder.appending(path: "tiny.gguf").path()
      try Data(writer.file()).write(to: URL(filePath: path))
      try await body(path, folder.appending(path: "cache").path())
    }

    private func tuner(
      _ model: String, _ cache: String, disk: DiskSpace = .real,
      change: (inout ModelTuner.Options) -> Void = { _ in }
    ) -> ModelTuner {
      var options = ModelTuner.Options(
        limits: QualityLimits(divergence: 100, perplexity: 100), leastGain: 1, promptTokens: 16,
        outputTokens: 4, textTokens: 200, rounds: 1, threads: 1)
      change(&options)
      return ModelTuner(
        modelPath: model, options: options, time: SystemTimeSource(),
        machine: MachineTree(cores: 2).machine,
        environment: ["XDG_CACHE_HOME": cache], disk: disk)
    }

    private func names(_ cache: String) -> [String] {
      ((try? FolderReader.real.names(cache + "/hybridkit/models").get()) ?? []).sorted()
    }

    @Test(arguments: WeightFormat.all)
    func `a copy has the format that was asked for and the size that was foretold`(
      format: WeightFormat
    ) async throws {
      try await withModel { model, _ in
        let copy = model + ".copy"
        var fractions: [Double] = []
        try LlamaConversion.run(from: model, to: copy, format: format, threads: 2) {
          fractions.append($0)
          return true
        }
        let header = try GGUFHeader(path: copy)
        #expect(header.quantization == format.name)
        #expect(header.vocabulary == (try GGUFHeader(path: model)).vocabulary)
        let contents = try GGUFContents(ModelFileHandle(path: model).bytes)
        let foretold = CopySize.bytes(of: format, for: contents)
        #expect(header.fileSize <= foretold && foretold < header.fileSize * 11 / 10)
        #expect(fractions.count == 11 && fractions.first == 0 && fractions == fractions.sorted())
      }
    }

    @Test func `a conversion stops before the next tensor`() async throws {
      try await withModel { model, _ in
        var asked = 0
        let error = #expect(throws: HybridError.self) {
          try LlamaConversion.run(from: model, to: model + ".copy", format: .q8, threads: 2) {
            _ in
            asked += 1
            return asked < 3
          }
        }
        #expect(error?.code == .cancelled)
        #expect(asked == 3)
        // The library is as it was.
        try LlamaConversion.run(from: model, to: model + ".copy", format: .q8, threads: 1) { _ in
          true
        }
      }
    }

    @Test(arguments: ["/dev/full", "/nowhere/at/all.gguf"])
    func `a target that cannot be written is an error`(target: String) async throws {
      try await withModel { model, _ in
        let error = #expect(throws: HybridError.self) {
          try LlamaConversion.run(from: model, to: target, format: .q8, threads: 1) { _ in true }
        }
        #expect(error?.code == .modelUnsupported)
      }
    }

    @Test func `a whole run keeps a copy, and the next one knows`() async throws {
      try await withModel { model, cache in
        // Whatever gains nothing is no better than the file: then nothing is kept.
        let first = try await tuner(model, cache).tune()
        #expect(first.isNew)
        #expect(first.original.format == "F32")
        #expect(first.copies.allSatisfy { $0.measurement?.quality?.tokens ?? 0 > 100 })
        let second = try await tuner(model, cache).tune()
        #expect(!second.isNew)
        #expect(second.copies == first.copies && second.keptPath == first.keptPath)
        #expect(names(cache).count == (first.kept == nil ? 1 : 2))
        #expect(try await tuner(model, cache) { $0.isForced = true }.tune().isNew)
        #expect(try await tuner(model, cache) { $0.limits.divergence = 9 }.tune().isNew)
      }
    }

    @Test func `too little room is told before anything is written`() async throws {
      try await withModel { model, cache in
        let error = await #expect(throws: HybridError.self) {
          _ = try await tuner(model, cache, disk: DiskSpace { _ in 1_000 }).tune()
        }
        #expect(error?.code == .insufficientDiskSpace)
        #expect(error?.details["available"] == 1_000)
        #expect((error?.details["needed"]?.int ?? 0) > 100_000)
        #expect(names(cache).isEmpty)
      }
    }

    @Test func `a run that is cancelled leaves nothing behind`() async throws {
      try await withModel { model, cache in
        let (steps, told) = AsyncStream.makeStream(of: ModelTuner.Step.self)
        let tuner = tuner(model, cache)
        let gate = DispatchSemaphore(value: 0)
        let work = Task {
          try await tuner.tune { step in
            told.yield(step)
            guard case .timing = step else { return }
            gate.wait()
            gate.signal()
          }
        }
        for await case .timing in steps { break }
        // The copies are there while they are timed.
        #expect(names(cache).contains { $0.hasPrefix(TunedCopies.temporaryPrefix) })
        work.cancel()
        gate.signal()
        let error = await #expect(throws: HybridError.self) { _ = try await work.value }
        #expect(error?.code == .cancelled)
        #expect(names(cache).isEmpty)
      }
    }

    @Test func `what is no model is refused, and so is a cache that nothing names`() async throws {
      try await withModel { model, cache in
        let missing = await #expect(throws: HybridError.self) {
          _ = try await tuner(model + ".none", cache).tune()
        }
        #expect(missing?.code == .modelNotFound)
        let homeless = await #expect(throws: HybridError.self) {
          _ = try await ModelTuner(
            modelPath: model, options: .init(), time: SystemTimeSource(),
            machine: MachineTree(cores: 2).machine,
            environment: [:]
          ).tune()
        }
        #expect(homeless?.code == .invalidConfiguration)
        let bad = await #expect(throws: HybridError.self) {
          _ = try await tuner(model, cache) { $0.limits.divergence = -1 }.tune()
        }
        #expect(bad?.code == .invalidConfiguration)
      }
    }
  }
#endif
