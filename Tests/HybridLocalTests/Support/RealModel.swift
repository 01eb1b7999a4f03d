#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  /// All tests that load the model's weights, one at a time: they would slow one another down.
  @Suite(.serialized)
  struct RealModel {
    static func executor(
      path: String? = nil, contextLength: Int? = 512, parallel: Int? = 1, total: Int? = nil,
      isDeterministic: Bool = false, threads: Int? = 1, queueCapacity: Int = 8,
      time: any TimeSource = SystemTimeSource()
    ) throws -> LocalExecutor {
      LocalExecutor(
        modelPath: try path ?? TestAssets.model(),
        options: .init(
          contextLength: contextLength, parallelRequests: parallel, totalContextLength: total,
          isDeterministic: isDeterministic, threads: threads, queueCapacity: queueCapacity),
        time: time)
    }

    /// A copy of the model in a folder of its own, gone after `body`.
    static func withCopy(_ body: (_ path: String) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "copy.gguf").path()
      try FileManager.default.copyItem(atPath: TestAssets.model(), toPath: path)
      try await body(path)
    }

    static func request(
      _ prompt: String, maxTokens: Int? = 24, change: (inout ChatRequest) -> Void = { _ in }
    ) -> ChatRequest {
      var request = ChatRequest(prompt: prompt)
      request.sampling = .greedy
      request.maxTokens = maxTokens
      change(&request)
      return request
    }

    /// A prompt of about this many tokens.
    static func long(_ tokens: Int) -> String {
      String(repeating: "one two three four five six seven eight nine ten ", count: tokens / 10)
    }
  }

  /// A run, collected.
  struct Collected {
    var text = ""
    var pieces: [String] = []
    var logProbs: [TokenLogProb] = []
    /// Texts of further choices by their numbers.
    var others: [Int: String] = [:]
    var otherLogProbs: [Int: [TokenLogProb]] = [:]
    var completion: Completion?

    /// - Parameter onPiece: told of each piece as it comes.
    init(
      _ stream: ExecutorStream, onPiece: (String) -> Void = { _ in }
    ) async throws(HybridError) {
      for try await event in stream {
        switch event {
        case .text(let piece):
          text += piece
          pieces.append(piece)
          onPiece(piece)
        case .finished(let completion): self.completion = completion
        case .logProbs(let tokens): logProbs += tokens
        case .choice(let choice, .text(let piece)): others[choice, default: ""] += piece
        case .choice(let choice, .logProbs(let tokens)):
          otherLogProbs[choice, default: []] += tokens
        case .reasoning, .toolCall, .choice: break
        }
      }
    }
  }

  extension LocalStatus {
    var failure: ModelFailure? {
      if case .failed(let failure) = state { failure } else { nil }
    }
  }

  extension LocalExecutor {
    func collect(
      _ request: ChatRequest, in context: ExecutionContext = ExecutionContext()
    ) async throws(HybridError) -> Collected {
      try await Collected(start(request, in: context))
    }
  }
#endif
