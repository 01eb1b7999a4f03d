import HybridLocal
import HybridTesting
import Testing

struct SequenceStoreTests {
  static func store(
    _ reuse: SequenceStore.Reuse = .prefixes, sequences: Int = 4, capacity: Int = 100,
    cacheLimit: Int? = nil
  ) -> SequenceStore {
    SequenceStore(
      sequences: sequences, capacity: capacity, cacheLimit: cacheLimit, reuse: reuse)
  }

  /// Runs these tokens to their end, and leaves them in the cache.
  static func compute(_ tokens: [Token], in store: inout SequenceStore) -> Int? {
    guard let placement = store.place(tokens),
      store.makeRoom(for: tokens.count - placement.reused) != nil
    else { return nil }
    store.append(Array(tokens[placement.reused...]), to: placement.sequence)
    _ = store.release(placement.sequence, caching: true)
    return placement.sequence
  }

  @Test func `a conversation that goes on takes over its former sequence, without a command`() {
    var store = Self.store()
    let first = Self.compute([1, 2, 3], in: &store)
    let next = store.place([1, 2, 3, 4, 5])
    #expect(next == .init(sequence: first ?? 9, reused: 3, commands: []))
    #expect(store.runningCells == 3)
  }

  @Test func `an edit in the middle shares exactly the common prefix, and both stay`() {
    var store = Self.store()
    let first = Self.compute([1, 2, 3, 4], in: &store) ?? 9
    let edited = store.place([1, 2, 7, 8])
    #expect(edited?.reused == 2)
    #expect(
      edited?.commands == [.share(from: first, to: edited?.sequence ?? 9, count: 2)])
    // The shared cells count once.
    #expect(store.runningCells == 2)
    #expect(store.cachedCells == 2)
    #expect(store.reusable(of: [1, 2, 3, 4, 5]) == 4)
  }

  @Test func `the last token is always computed, for its logits`() {
    var store = Self.store()
    _ = Self.compute([1, 2, 3], in: &store)
    #expect(store.reusable(of: [1, 2, 3]) == 2)
    #expect(store.reusable(of: [1]) == 0)
    #expect(store.place([1, 2, 3])?.reused == 2)
  }

  @Test func `a prefix is taken from a sequence that still runs`() {
    var store = Self.store()
    let running = store.place([1, 2, 3, 4])
    store.append([1, 2, 3], to: running?.sequence ?? 0)
    let other = store.place([1, 2, 3, 9])
    #expect(other?.reused == 3)
    #expect(store.runningCells == 3)
    // It lives on when its source is gone.
    _ = store.release(running?.sequence ?? 0, caching: false)
    #expect(store.runningCells == 3)
    #expect(store.tokens(of: other?.sequence ?? 0) == [1, 2, 3])
  }

  @Test func `the least recently used goes first when a sequence is needed`() {
    var store = Self.store(sequences: 2)
    _ = Self.compute([1, 1, 1], in: &store)
    _ = Self.compute([2, 2, 2], in: &store)
    // A use that leaves the first one as it was: now the second is older.
    let third = store.place([1, 1, 5])
    #expect(third?.reused == 2)
    #expect(store.reusable(of: [2, 2, 2, 2]) == 0)
    #expect(store.reusable(of: [1, 1, 1, 1]) == 3)
  }

  @Test func `room is made from the cache, and never from what runs`() {
    var store = Self.store(capacity: 10)
    let running = store.place([9, 9, 9])
    store.append([9, 9, 9], to: running?.sequence ?? 0)
    _ = Self.compute([1, 1, 1], in: &store)
    _ = Self.compute([2, 2, 2], in: &store)
    #expect(store.makeRoom(for: 1) == [])
    #expect(store.makeRoom(for: 4)?.count == 1)
    #expect(store.makeRoom(for: 8) == nil)
    #expect(store.makeRoom(for: 7)?.count == 1)
    #expect(store.tokens(of: running?.sequence ?? 0) == [9, 9, 9])
  }

  @Test func `the cache holds no more than its budget`() {
    var store = Self.store(cacheLimit: 5)
    _ = Self.compute([1, 1, 1], in: &store)
    _ = Self.compute([2, 2, 2], in: &store)
    #expect(store.cachedCells == 3)
    #expect(store.reusable(of: [2, 2, 2, 2]) == 3)
    var none = Self.store(cacheLimit: 0)
    _ = Self.compute([1, 1, 1], in: &none)
    #expect(none.cachedCells == 0)
  }

  @Test func `a recurrent state is taken over whole or not at all`() {
    var store = Self.store(.wholeSequences)
    _ = Self.compute([1, 2, 3], in: &store)
    #expect(store.reusable(of: [1, 2, 4]) == 0)
    #expect(store.reusable(of: [1, 2, 3]) == 0)
    #expect(store.place([1, 2, 3, 4])?.reused == 3)
    // What runs lends nothing.
    #expect(store.reusable(of: [1, 2, 3, 5]) == 0)
  }

  @Test func `where numbers must not depend on others only whole chunks are used again`() {
    var store = Self.store(.wholeChunks(4))
    guard let first = store.place([1, 2, 3, 4, 5, 6, 7, 8, 9]) else {
      Issue.record("no place")
      return
    }
    store.append([1, 2, 3, 4], to: first.sequence)
    store.append([5, 6, 7, 8], to: first.sequence)
    store.append([9], to: first.sequence)
    // Generated one by one: not what a chunk would have computed.
    for token in 10...13 { store.append([Token(token)], to: first.sequence) }
    _ = store.release(first.sequence, caching: true)
    #expect(store.reusable(of: Array(1...20)) == 8)
    #expect(store.reusable(of: [1, 2, 3, 4, 5, 6, 7, 9, 9]) == 4)
    let next = store.place(Array(1...20))
    #expect(
      next
        == .init(
          sequence: first.sequence, reused: 8, commands: [.keep(sequence: first.sequence, count: 8)]
        ))
  }

  @Test func `generated histories keep the books`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<30 {
      let capacity = Int.random(in: 20...60, using: &random)
      let limit = Int.random(in: 0...capacity, using: &random)
      var store = Self.store(
        sequences: Int.random(in: 2...6, using: &random), capacity: capacity, cacheLimit: limit)
      // llama.cpp's side of it: which sequence holds which cell, found anew from the commands.
      var memory = ModelMemory(capacity: capacity)
      var running: [Int] = []
      for _ in 0..<200 {
        switch Int.random(in: 0...3, using: &random) {
        case 0:
          let tokens = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            Token.random(in: 0...1, using: &random)
          }
          guard let placement = store.place(tokens) else { continue }
          memory.obey(placement.commands)
          running.append(placement.sequence)
          #expect(placement.reused < tokens.count)
          #expect(
            Array(tokens[..<placement.reused]) == store.tokens(of: placement.sequence))
        case 1:
          guard let sequence = running.randomElement(using: &random) else { continue }
          let more = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Token.random(in: 0...1, using: &random)
          }
          guard let commands = store.makeRoom(for: more.count) else {
            #expect(store.availableCells < more.count)
            continue
          }
          memory.obey(commands)
          store.append(more, to: sequence)
          let fits = memory.append(more, to: sequence)
          #expect(fits)
        case 2:
          guard let place = running.indices.randomElement(using: &random) else { continue }
          let sequence = running.remove(at: place)
          memory.obey(store.release(sequence, caching: Bool.random(using: &random)))
        default:
          guard let sequence = running.randomElement(using: &random) else { continue }
          let count = Int.random(in: 0...store.tokens(of: sequence).count, using: &random)
          memory.obey(store.keep(count, of: sequence))
        }
        #expect(store.cachedCells <= limit)
        #expect(store.runningCells == memory.cells(of: running))
        #expect(capacity - store.availableCells + store.cachedCells == memory.used)
        for sequence in running {
          #expect(memory.tokens(of: sequence) == store.tokens(of: sequence))
        }
      }
    }
  }
}

/// A context's memory in the plainest form: cells, each with its token, place and holders.
struct ModelMemory {
  private struct Cell {
    var token: Token = 0
    var position = 0
    var holders: Set<Int> = []
  }

  private var cells: [Cell]

  init(capacity: Int) {
    cells = Array(repeating: Cell(), count: capacity)
  }

  var used: Int { cells.count { !$0.holders.isEmpty } }

  func cells(of sequences: [Int]) -> Int {
    cells.count { !$0.holders.isDisjoint(with: sequences) }
  }

  func tokens(of sequence: Int) -> [Token] {
    cells.filter { $0.holders.contains(sequence) }.sorted { $0.position < $1.position }
      .map(\.token)
  }

  mutating func obey(_ commands: [SequenceStore.Command]) {
    for command in commands {
      for place in cells.indices {
        switch command {
        case .share(let source, let target, let count):
          if cells[place].holders.contains(source), cells[place].position < count {
            cells[place].holders.insert(target)
          }
        case .keep(let sequence, let count):
          if cells[place].position >= count { cells[place].holders.remove(sequence) }
        }
      }
    }
  }

  /// - Returns: false where the memory is full.
  mutating func append(_ tokens: [Token], to sequence: Int) -> Bool {
    for token in tokens {
      let position = self.tokens(of: sequence).count
      guard let free = cells.firstIndex(where: { $0.holders.isEmpty }) else { return false }
      cells[free] = Cell(token: token, position: position, holders: [sequence])
    }
    return true
  }
}
