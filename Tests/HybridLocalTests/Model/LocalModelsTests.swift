#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Synchronization
  import Testing

  extension RealModel {
    struct LocalModelsTests {
      /// The test model under several names.
      ///
      /// - Parameters:
      ///   - mebibytes: memory that the machine tells at all times; a model needs about 142 MiB.
      ///   - body: gets the set and the folder.
      static func withModels(
        _ names: [String] = ["alpha.Q4_1", "beta-Q8_0", "gamma"], mebibytes: Int = 8192,
        most: Int? = nil, _ body: (_ models: LocalModels) async throws -> Void
      ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try names.map { name in
          let path = folder.appending(path: "\(name).gguf").path()
          try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: TestAssets.model())
          return path
        }
        let machine = Machine(
          files: .tree(["/proc/meminfo": "MemAvailable: \(mebibytes * 1024) kB\n"]))
        let models = try LocalModels(
          paths.map {
            .init(
              $0, options: .init(contextLength: 512, parallelRequests: 1, threads: 1))
          }, most: most, time: SystemTimeSource(), machine: machine, environment: [:])
        try await body(models)
        await models.close()
      }

      static func ask(
        _ model: String?, _ models: LocalModels, context: ExecutionContext = .init()
      ) async throws -> Completion? {
        let request = RealModel.request("hi", maxTokens: 1) { $0.model = model }
        return try await Collected(models.start(request, in: context)).completion
      }

      @Test func `each request is answered by the model that it names`() async throws {
        try await Self.withModels { models in
          let rows: [(String?, String)] = [
            (nil, "alpha.Q4_1"), ("alpha", "alpha.Q4_1"), ("BETA-Q8_0", "beta-Q8_0"),
            ("beta", "beta-Q8_0"), ("gamma.gguf", "gamma"), (models.models[2].path, "gamma"),
          ]
          for (name, model) in rows {
            #expect(await models.status(model: name).model.name == model)
            #expect(try await Self.ask(name, models)?.model == model)
          }
          #expect(models.loaded == ["alpha.Q4_1", "beta-Q8_0", "gamma"])
          var request = RealModel.request("Why is the sky blue?")
          request.model = "beta"
          #expect(await models.measure(request) == .counted(36))
          #expect(try await models.prewarm([.system("Be brief.")], model: "gamma") > 0)
          try await models.unload("beta")
          #expect(models.loaded == ["alpha.Q4_1", "gamma"])
        }
      }

      @Test func `a name that is none of theirs is refused with theirs, or stood in for`()
        async throws
      {
        try await Self.withModels { models in
          let attempts = Mutex<[Attempt]>([])
          let context = ExecutionContext(onAttempt: { one in attempts.withLock { $0.append(one) } })
          let error = await #expect(throws: HybridError.self) {
            try await Self.ask("gama", models, context: context)
          }
          #expect(error?.code == .modelNotFound)
          #expect(error?.details["known"] == ["alpha.Q4_1", "beta-Q8_0", "gamma"])
          #expect(error?.nextStep?.contains("gamma") == true)
          #expect(attempts.withLock { $0.map(\.failure) } == [.modelNotFound])
          for call in [
            { try await models.load("delta") }, { try await models.unload("delta") },
            { _ = try await models.prewarm([.system("Hi.")], model: "delta") },
          ] as [() async throws -> Void] {
            let error = await #expect(throws: HybridError.self) { try await call() }
            #expect(error?.code == .modelNotFound)
          }
          #expect(models.loaded.isEmpty)

          // Whether it may is decided by routing, which looks at the first one's name.
          #expect(await models.status(model: "gpt-4o-mini").model.name == "alpha.Q4_1")
          let standIn = ExecutionContext(standsIn: true)
          let answers = [
            try await Self.ask("gpt-4o-mini", models, context: standIn),
            try await Self.ask("beta", models, context: standIn),
          ]
          #expect(answers.map { $0?.model } == ["alpha.Q4_1", "beta-Q8_0"])
        }
      }

      @Test func `the least recently used model makes room`() async throws {
        // Two fit, three do not.
        try await Self.withModels(mebibytes: 350) { models in
          for name in ["alpha", "beta", "alpha"] { _ = try await Self.ask(name, models) }
          #expect(models.loaded == ["alpha.Q4_1", "beta-Q8_0"])
          // Planned as if it were alone: the idle ones will go.
          let status = await models.status(model: "gamma")
          #expect(status.state == .notLoaded && !status.queue.isFull)
          #expect(status.memory?.available == 350 << 20)
          _ = try await Self.ask("gamma", models)
          #expect(models.loaded == ["alpha.Q4_1", "gamma"])
          try await models.load("beta")
          #expect(models.loaded == ["beta-Q8_0", "gamma"])
        }
      }

      @Test func `no more are loaded than may be`() async throws {
        try await Self.withModels(most: 1) { models in
          for name in ["alpha", "beta", "gamma", "alpha"] {
            let answer = try await Self.ask(name, models)
            #expect(answer?.finishReason == .length)
            #expect(models.loaded.count == 1)
          }
        }
      }

      @Test(arguments: [(200, nil), (8192, 1)] as [(Int, Int?)])
      func `a model in use stays, and the request for another one is told so`(
        mebibytes: Int, most: Int?
      ) async throws {
        try await Self.withModels(mebibytes: mebibytes, most: most) { models in
          let running = try await models.start(
            RealModel.request("Count to one thousand.", maxTokens: 400), in: .init())
          let error = await #expect(throws: HybridError.self) {
            try await Self.ask("beta", models)
          }
          #expect(error?.code == .localBusy)
          #expect(error?.details["inUse"] == ["alpha.Q4_1"])
          #expect(error?.message.contains("beta-Q8_0") == true)
          // A plan says it beforehand, as what passes, not as too little memory.
          let status = await models.status(model: "beta")
          #expect(status.queue.isFull)
          #expect((status.memory?.needed ?? .max) <= status.memory?.available ?? 0)
          #expect(await models.status().queue.isFull == false)
          #expect(models.loaded == ["alpha.Q4_1"])
          running.cancel()
          #expect(try await Collected(running).completion?.finishReason == .cancelled)
          #expect(try await Self.ask("beta", models)?.finishReason == .length)
          #expect(models.loaded == ["beta-Q8_0"])
        }
      }

      @Test func `a model that fits in no case is refused, and the others stay`() async throws {
        try await Self.withModels(mebibytes: 100) { models in
          let error = await #expect(throws: HybridError.self) { try await Self.ask(nil, models) }
          #expect(error?.code == .insufficientMemory)
          let status = await models.status()
          #expect(status.memory?.available == 100 << 20)
          #expect(!status.queue.isFull)
        }
      }

      @Test func `many at once for models that do not fit end each in an answer or a refusal`()
        async throws
      {
        try await Self.withModels(mebibytes: 200) { models in
          let outcomes = await withTaskGroup(of: ErrorCode?.self) { group in
            for number in 0..<40 {
              group.addTask {
                let name = ["alpha", "beta", "gamma"][number % 3]
                do {
                  let completion = try await Self.ask(name, models)
                  #expect(completion?.model?.hasPrefix(name) == true)
                  #expect(models.loaded.count <= 1)
                  return nil
                } catch {
                  return (error as? HybridError)?.code ?? .internal
                }
              }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
          }
          #expect(Set(outcomes.keys).isSubset(of: [nil, .localBusy]), "\(outcomes)")
          #expect((outcomes[nil] ?? 0) > 0)
          for model in models.models {
            let answer = try await Self.ask(model.name, models)
            #expect(answer?.model == model.name)
          }
        }
      }

      @Test func `closing ends all of them`() async throws {
        try await Self.withModels { models in
          let running = try await models.start(
            RealModel.request("Count to one thousand.", maxTokens: 400), in: .init())
          try await models.load("beta")
          await models.close()
          let error = await #expect(throws: HybridError.self) { try await Collected(running) }
          #expect(error?.code == .engineLost)
          #expect(models.loaded.isEmpty)
          for name in ["alpha", "beta", "gamma"] {
            let later = await #expect(throws: HybridError.self) {
              try await Self.ask(name, models)
            }
            #expect(later?.code == .engineLost)
          }
        }
      }

      @Test func `a set that cannot be is refused`() throws {
        let model = try TestAssets.model()
        let rows: [([LocalModels.Model], Int?, ErrorCode)] = [
          ([], nil, .invalidConfiguration), ([.init(model)], 0, .invalidConfiguration),
          ([.init(model), .init(model)], nil, .invalidConfiguration),
          ([.init(model, options: .init(queueCapacity: 0))], nil, .invalidConfiguration),
          (["/nowhere/model.gguf"], nil, .modelNotFound),
          (["no-such-model-anywhere"], nil, .modelNotFound),
        ]
        for (models, most, code) in rows {
          let error = #expect(throws: HybridError.self) { try LocalModels(models, most: most) }
          #expect(error?.code == code && error?.nextStep != nil)
        }
      }
    }
  }
#endif
