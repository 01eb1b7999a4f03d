public import HybridCore

/// What is known of the local side.
public struct LocalFacts: Sendable, Hashable {
  /// nil: not asked, because an earlier check had excluded the local side.
  public var status: LocalStatus?

  /// nil: not measured, for the same reason.
  public var measurement: PromptMeasurement?

  public init(status: LocalStatus? = nil, measurement: PromptMeasurement? = nil) {
    self.status = status
    self.measurement = measurement
  }
}

extension LocalFacts {
  /// A loaded model with an empty queue, and a prompt that was counted.
  public static func ready(
    model: String = "scripted", context: Int = 2048, promptTokens: Int = 20,
    queue: QueueStatus = QueueStatus(), features: Set<Feature> = []
  ) -> LocalFacts {
    LocalFacts(
      status: LocalStatus(
        model: LocalModelInfo(name: model, path: "\(model).gguf"), state: .ready,
        contextLength: context, queue: queue, features: features),
      measurement: .counted(promptTokens))
  }

  /// A model in another state: missing, not loaded, loading, failed.
  public static func inState(
    _ state: LocalStatus.State, model: String = "scripted", context: Int? = 2048,
    memory: MemoryNeed? = nil, promptTokens: Int? = 20
  ) -> LocalFacts {
    LocalFacts(
      status: LocalStatus(
        model: LocalModelInfo(name: model, path: "\(model).gguf"), state: state,
        contextLength: context, memory: memory),
      measurement: promptTokens.map { .counted($0) })
  }
}
