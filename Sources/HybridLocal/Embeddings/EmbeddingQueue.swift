/// Which texts the next batch computes, and what requests wait.
///
/// Requests are served in order of arrival. A batch takes the next texts, each of them whole, until one
/// has no room: so one batch may serve several requests, and one request may take several. Pure
/// decisions: the engine asks for a batch, computes it, and reports what came of it.
package struct EmbeddingQueue: Sendable {
  /// A text of a request. Its place in the batch is the sequence that computes it.
  package struct Part: Sendable, Hashable {
    package var id: RequestID
    /// The text's place in its request, from 0.
    package var text: Int

    package init(id: RequestID, text: Int) {
      self.id = id
      self.text = text
    }
  }

  package enum Cancellation: Sendable, Hashable {
    /// Nothing of it was being computed, and it has left.
    case waiting
    /// It is in the batch, and leaves with it.
    case inBatch
    /// It has ended, or never was.
    case absent
  }

  private struct Entry: Sendable {
    let id: RequestID
    /// Tokens of each text.
    let lengths: [Int]
    /// Texts that are computed: the first so many.
    var computed = 0
    /// Texts after those that are in the batch.
    var inBatch = 0
    var isStopped = false
  }

  /// Requests that may be inside, the one that is computed included.
  package let capacity: Int
  /// The most tokens of a batch that several texts share. A longer text has one for itself.
  package let sharedTokens: Int
  /// The most texts of a batch.
  package let mostTexts: Int
  /// In order of arrival.
  private var entries: [Entry] = []

  package init(capacity: Int, sharedTokens: Int, mostTexts: Int) {
    self.capacity = max(1, capacity)
    self.sharedTokens = max(1, sharedTokens)
    self.mostTexts = max(1, mostTexts)
  }

  package var depth: Int { entries.count }

  /// Tokens that are not computed yet.
  package var tokensAhead: Int {
    entries.reduce(0) { sum, entry in entry.lengths[entry.computed...].reduce(sum, +) }
  }

  // MARK: Coming and going

  /// - Parameter lengths: tokens of each text, at least one text.
  /// - Returns: false where the line is full.
  package mutating func admit(_ id: RequestID, lengths: [Int]) -> Bool {
    guard entries.count < capacity else { return false }
    entries.append(Entry(id: id, lengths: lengths))
    return true
  }

  package mutating func cancel(_ id: RequestID) -> Cancellation {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { return .absent }
    if entries[place].inBatch > 0 {
      entries[place].isStopped = true
      return .inBatch
    }
    entries.remove(at: place)
    return .waiting
  }

  /// Takes out all that have nothing in the batch.
  package mutating func removeWaiting() -> [RequestID] {
    defer { entries.removeAll { $0.inBatch == 0 } }
    return entries.filter { $0.inBatch == 0 }.map(\.id)
  }

  // MARK: The batch

  /// The texts to compute next; empty where there are none. Ends with ``computed()``,
  /// ``aborted()`` or ``failed()``.
  package mutating func nextBatch() -> [Part] {
    var batch: [Part] = []
    var tokens = 0
    for place in entries.indices {
      let entry = entries[place]
      for text in entry.computed..<entry.lengths.count {
        let length = entry.lengths[text]
        guard batch.isEmpty || (tokens + length <= sharedTokens && batch.count < mostTexts) else {
          return batch
        }
        tokens += length
        entries[place].inBatch += 1
        batch.append(Part(id: entry.id, text: text))
      }
    }
    return batch
  }

  /// True where nobody wants what the batch computes any more.
  package var isBatchUnwanted: Bool {
    let inBatch = entries.filter { $0.inBatch > 0 }
    return !inBatch.isEmpty && inBatch.allSatisfy(\.isStopped)
  }

  /// The batch is computed.
  ///
  /// - Returns: the requests that are complete, in order, which have left with those that were stopped.
  package mutating func computed() -> [RequestID] {
    for place in entries.indices {
      entries[place].computed += entries[place].inBatch
      entries[place].inBatch = 0
    }
    let complete = entries.filter { $0.computed == $0.lengths.count && !$0.isStopped }.map(\.id)
    entries.removeAll { $0.isStopped || $0.computed == $0.lengths.count }
    return complete
  }

  /// The batch was given up: what is still wanted of it will be computed anew.
  package mutating func aborted() {
    for place in entries.indices { entries[place].inBatch = 0 }
    entries.removeAll(where: \.isStopped)
  }

  /// The batch could not be computed.
  ///
  /// - Returns: the requests of which it had a text and which were not stopped; all of those have left.
  package mutating func failed() -> [RequestID] {
    defer { entries.removeAll { $0.inBatch > 0 } }
    return entries.filter { $0.inBatch > 0 && !$0.isStopped }.map(\.id)
  }
}
