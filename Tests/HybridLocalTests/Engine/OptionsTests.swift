#if LocalLlama
  import HybridCore
  import HybridLocal
  import HybridTesting
  import Testing

  struct OptionsTests {
    typealias Options = LocalExecutor.Options

    static let wrong: [(option: String, change: @Sendable (inout Options) -> Void)] = [
      ("contextLength", { $0.contextLength = 0 }),
      ("contextLength", { $0.contextLength = -1 }),
      ("contextLength", { $0.contextLength = .max }),
      ("parallelRequests", { $0.parallelRequests = 0 }),
      ("parallelRequests", { $0.parallelRequests = -3 }),
      ("parallelRequests", { $0.parallelRequests = 129 }),
      ("totalContextLength", { $0.totalContextLength = 0 }),
      ("totalContextLength", { $0.totalContextLength = .min }),
      ("totalContextLength", { $0.totalContextLength = .max }),
      ("prefixCacheBytes", { $0.prefixCacheBytes = -1 }),
      ("threads", { $0.threads = 0 }),
      ("threads", { $0.threads = 513 }),
      ("prefillThreads", { $0.prefillThreads = -2 }),
      ("queueCapacity", { $0.queueCapacity = 0 }),
      ("queueCapacity", { $0.queueCapacity = -64 }),
      ("queueCapacity", { $0.queueCapacity = .max }),
      ("unloadsAfter", { $0.unloadsAfter = .zero }),
      ("unloadsAfter", { $0.unloadsAfter = .seconds(-5) }),
    ]

    @Test(arguments: wrong.indices)
    func `an impossible option is refused by name, whatever would use it`(index: Int) async throws {
      let (option, change) = Self.wrong[index]
      var options = Options()
      change(&options)
      let executor = LocalExecutor(modelPath: try TestAssets.model(), options: options)
      let request = ChatRequest(prompt: "hi")
      let errors = [
        #expect(throws: HybridError.self) { try options.validate() },
        await #expect(throws: HybridError.self) { try await executor.load() },
        await #expect(throws: HybridError.self) { try await executor.prewarm([.system("Hi.")]) },
        await #expect(throws: HybridError.self) {
          _ = try await executor.start(request, in: ExecutionContext())
        },
      ]
      for error in errors {
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.details["option"]?.string == option)
        #expect(error?.message.contains(option) == true)
        #expect(error?.nextStep != nil)
      }
      guard case .failed(let failure) = await executor.status().state else {
        Issue.record("\(option) counts as sound")
        return
      }
      #expect(failure.code == .invalidConfiguration)
    }

    @Test func `what is nil or least possible is sound`() throws {
      try Options().validate()
      try Options(
        contextLength: 1, parallelRequests: 1, totalContextLength: 1, prefixCacheBytes: 0,
        threads: 1, prefillThreads: 1, queueCapacity: 1, unloadsAfter: .nanoseconds(1)
      ).validate()
    }

    @Test func `a context beyond the trained one needs leave`() async throws {
      let path = try TestAssets.model()
      let refused = LocalExecutor(modelPath: path, options: Options(contextLength: 8_193))
      let error = await #expect(throws: HybridError.self) { try await refused.load() }
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.details["trainedContextLength"]?.int == 8_192)
      let allowed = LocalExecutor(
        modelPath: path, options: Options(contextLength: 8_193, allowsBeyondTrained: true))
      #expect(await allowed.status().contextLength == 8_193)
      #expect(await allowed.status().state == .notLoaded)
    }

    @Test func `a total below one request's context, or beside parts, is refused`() async throws {
      let path = try TestAssets.model()
      for options in [
        Options(contextLength: 512, totalContextLength: 511),
        Options(totalContextLength: 512, isDeterministic: true),
      ] {
        let executor = LocalExecutor(modelPath: path, options: options)
        let error = await #expect(throws: HybridError.self) { try await executor.load() }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.details["totalContextLength"] != nil)
      }
    }
  }
#endif
