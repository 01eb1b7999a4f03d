/// What a decode came to. Each calls for another answer.
package enum DecodeOutcome: Sendable, Hashable {
  /// All tokens are in memory, and the logits that were asked for can be sampled.
  case done
  /// No room in the context's memory for the batch. Nothing of it was kept: a smaller one may fit.
  case noRoom
  /// The abort callback said so. What was processed before stays in memory.
  case aborted
  /// The batch makes no sense to llama.cpp. Nothing of it was kept.
  case invalidBatch
  /// It failed for good. What was processed before stays in memory.
  case failed(code: Int32)

  /// llama.h, `llama_decode`: "0 - success; 1 - could not find a KV slot for the batch (try reducing
  /// the size of the batch or increase the context); 2 - aborted (processed ubatches will remain in
  /// the context's memory); -1 - invalid input batch; < -1 - fatal error (processed ubatches will
  /// remain in the context's memory)". Positive codes it does not list count as failures.
  package init(code: Int32) {
    switch code {
    case 0: self = .done
    case 1: self = .noRoom
    case 2: self = .aborted
    case -1: self = .invalidBatch
    default: self = .failed(code: code)
    }
  }
}
