#if LocalLlama
  import HybridCore
  import HybridLocal

  /// What a service does with a file: the pre-flight, a load, an answer. In a process of its own.
  enum Attempt {
    static let refused: Int32 = 10
    static let failed: Int32 = 11

    /// - Returns: what the process is to exit with; what became of the file is printed.
    static func run(_ path: String) async -> Int32 {
      do throws(ModelFileError) {
        try GGUFHeader(path: path).requireChatModel()
      } catch {
        print(error.kind.rawValue)
        return refused
      }
      do throws(HybridError) {
        let executor = LocalExecutor(
          modelPath: path, options: .init(parallelRequests: 2, threads: 1, queueCapacity: 4))
        var request = ChatRequest(prompt: "Hello, wörld! 日本 \u{1F30D} \0 ab  a\n<s></s>")
        request.sampling = .greedy
        request.maxTokens = 4
        for try await _ in try await executor.start(request, in: ExecutionContext()) {}
        await executor.close()
        return 0
      } catch {
        print(error.causeCode.rawValue)
        return failed
      }
    }
  }
#endif
