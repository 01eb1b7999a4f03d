import HybridLocal
import HybridTesting
import Testing

struct EmbeddingQueueTests {
  static func queue(capacity: Int = 8, shared: Int = 10, texts: Int = 4) -> EmbeddingQueue {
    EmbeddingQueue(capacity: capacity, sharedTokens: shared, mostTexts: texts)
  }

  /// A batch as `request.text` of each part.
  static func names(_ parts: [EmbeddingQueue.Part]) -> [String] {
    parts.map { "\($0.id.number).\($0.text)" }
  }

  /// The lengths of each request's texts, and the batches that come of them.
  static let tables: [(requests: [[Int]], batches: [[String]])] = [
    ([[3]], [["1.0"]]),
    ([[3, 4]], [["1.0", "1.1"]]),
    // Exactly full, and one too many.
    ([[5, 5], [1]], [["1.0", "1.1"], ["2.0"]]),
    // Requests share a batch.
    ([[3], [3], [3]], [["1.0", "2.0", "3.0"]]),
    // The first that has no room ends the batch, though a later one had.
    ([[6, 6, 1], [1]], [["1.0"], ["1.1", "1.2", "2.0"]]),
    // A long text has a batch for itself.
    ([[50], [1]], [["1.0"], ["2.0"]]),
    ([[1, 50, 1]], [["1.0"], ["1.1"], ["1.2"]]),
    // No more texts than sequences.
    ([[1, 1, 1], [1, 1, 1]], [["1.0", "1.1", "1.2", "2.0"], ["2.1", "2.2"]]),
  ]

  @Test(arguments: tables.indices)
  func `texts are batched in order of arrival`(index: Int) {
    let (requests, batches) = Self.tables[index]
    var queue = Self.queue()
    for (place, lengths) in requests.enumerated() {
      #expect(queue.admit(RequestID(place + 1), lengths: lengths) == true)
    }
    var found: [[String]] = []
    while true {
      let batch = queue.nextBatch()
      if batch.isEmpty { break }
      found.append(Self.names(batch))
      _ = queue.computed()
    }
    #expect(found == batches)
    #expect(queue.depth == 0)
  }

  @Test func `a request is complete with its last text`() {
    var queue = Self.queue()
    _ = queue.admit(RequestID(1), lengths: [6, 6])
    _ = queue.admit(RequestID(2), lengths: [2])
    #expect(queue.tokensAhead == 14)
    _ = queue.nextBatch()
    #expect(queue.computed() == [])
    #expect(queue.tokensAhead == 8)
    #expect(Self.names(queue.nextBatch()) == ["1.1", "2.0"])
    #expect(queue.computed() == [RequestID(1), RequestID(2)])
    #expect(queue.depth == 0 && queue.tokensAhead == 0)
  }

  @Test func `a full line takes no more until one has left`() {
    var queue = Self.queue(capacity: 2)
    #expect(queue.admit(RequestID(1), lengths: [1]) == true)
    #expect(queue.admit(RequestID(2), lengths: [1]) == true)
    #expect(queue.admit(RequestID(3), lengths: [1]) == false)
    #expect(queue.cancel(RequestID(1)) == .waiting)
    #expect(queue.admit(RequestID(3), lengths: [1]) == true)
    #expect(Self.names(queue.nextBatch()) == ["2.0", "3.0"])
  }

  @Test func `a batch is unwanted once all that have a part in it are cancelled`() {
    var queue = Self.queue()
    for number in 1...3 { _ = queue.admit(RequestID(number), lengths: [5]) }
    #expect(Self.names(queue.nextBatch()) == ["1.0", "2.0"])
    #expect(!queue.isBatchUnwanted)
    #expect(queue.cancel(RequestID(1)) == .inBatch)
    #expect(!queue.isBatchUnwanted)
    #expect(queue.cancel(RequestID(3)) == .waiting)
    #expect(queue.cancel(RequestID(2)) == .inBatch)
    #expect(queue.isBatchUnwanted)
    queue.aborted()
    #expect(queue.depth == 0)
    #expect(queue.cancel(RequestID(2)) == .absent)
  }

  @Test func `what is still wanted of an aborted batch is computed anew`() {
    var queue = Self.queue()
    _ = queue.admit(RequestID(1), lengths: [5])
    _ = queue.admit(RequestID(2), lengths: [5, 5])
    #expect(Self.names(queue.nextBatch()) == ["1.0", "2.0"])
    _ = queue.cancel(RequestID(1))
    queue.aborted()
    #expect(Self.names(queue.nextBatch()) == ["2.0", "2.1"])
    #expect(queue.computed() == [RequestID(2)])
  }

  @Test func `a batch that fails takes its requests with it and no others`() {
    var queue = Self.queue()
    for number in 1...3 { _ = queue.admit(RequestID(number), lengths: [5]) }
    _ = queue.nextBatch()
    _ = queue.cancel(RequestID(1))
    #expect(queue.failed() == [RequestID(2)])
    #expect(queue.depth == 1)
    #expect(Self.names(queue.nextBatch()) == ["3.0"])
    #expect(queue.removeWaiting() == [])
    queue.aborted()
    #expect(queue.removeWaiting() == [RequestID(3)])
  }

  /// Generated days: requests come and are cancelled, batches are computed, aborted and fail.
  @Test(arguments: 0..<200)
  func `every text is computed once, whole and in order`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let shared = Int.random(in: 1...30, using: &random)
    let most = Int.random(in: 1...6, using: &random)
    var queue = Self.queue(
      capacity: Int.random(in: 1...6, using: &random), shared: shared, texts: most)
    var lengths: [Int: [Int]] = [:]
    var computed: [Int: [Int]] = [:]
    var inside: [Int] = []
    var stopped: Set<Int> = []
    for number in 1...120 {
      let texts = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Int.random(in: 1...20, using: &random)
      }
      let isIn = queue.admit(RequestID(number), lengths: texts)
      #expect(isIn == (inside.count < queue.capacity))
      if isIn {
        lengths[number] = texts
        inside.append(number)
      }
      let batch = queue.nextBatch()
      #expect(batch.isEmpty == inside.isEmpty)
      #expect(batch.count <= most)
      let tokens = batch.reduce(0) { $0 + (lengths[$1.id.number]?[$1.text] ?? 0) }
      #expect(tokens <= shared || batch.count == 1)
      // Each request's next texts, and the requests by age.
      #expect(batch.map(\.id.number) == batch.map(\.id.number).sorted())
      for number in Set(batch.map(\.id.number)) {
        let done = computed[number]?.count ?? 0
        let texts = batch.filter { $0.id.number == number }.map(\.text)
        #expect(texts == Array(done..<(done + texts.count)))
      }
      if Int.random(in: 0..<4, using: &random) == 0, let one = inside.randomElement(using: &random)
      {
        let isInBatch = batch.contains { $0.id.number == one }
        #expect(queue.cancel(RequestID(one)) == (isInBatch ? .inBatch : .waiting))
        inside.removeAll { $0 == one }
        stopped.insert(one)
      }
      #expect(
        queue.isBatchUnwanted
          == (!batch.isEmpty && batch.allSatisfy { stopped.contains($0.id.number) }))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: queue.aborted()
      case 1:
        let failed = queue.failed().map(\.number)
        #expect(Set(failed) == Set(batch.map(\.id.number)).subtracting(stopped))
        inside.removeAll(where: failed.contains)
      default:
        for part in batch { computed[part.id.number, default: []].append(part.text) }
        let complete = queue.computed().map(\.number)
        for number in complete {
          #expect(computed[number]?.count == lengths[number]?.count)
          #expect(!stopped.contains(number))
        }
        inside.removeAll(where: complete.contains)
      }
      #expect(queue.depth == inside.count)
      #expect(
        queue.tokensAhead
          == inside.reduce(0) { sum, number in
            sum + (lengths[number]?.dropFirst(computed[number]?.count ?? 0).reduce(0, +) ?? 0)
          })
    }
  }
}
