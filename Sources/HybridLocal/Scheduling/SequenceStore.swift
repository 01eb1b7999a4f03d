/// What the context's memory holds: the tokens of each sequence, and the cells that sequences share.
///
/// A sequence that has ended stays, as the prefix cache, until its cells or its number are needed:
/// the least recently used goes first. A token's keys and values take one cell; a prefix that several
/// sequences share takes its cells once. Knows nothing of llama.cpp: what is to be done there comes
/// out as ``Command``s, to be done in order.
package struct SequenceStore: Sendable {
  /// What of a sequence another request may build on.
  package enum Reuse: Sendable, Hashable {
    /// Any prefix of any sequence.
    case prefixes
    /// A finished sequence as a whole: a recurrent state cannot be cut.
    case wholeSequences
    /// Of the sequence's own former tokens those that were computed in whole chunks of this many, so
    /// that every number is the same as in an empty context.
    case wholeChunks(Int)
  }

  package enum Command: Sendable, Hashable {
    /// The target, which is empty, gets the first `count` tokens of the source.
    case share(from: Int, to: Int, count: Int)
    /// Of the sequence only the first `count` tokens stay.
    case keep(sequence: Int, count: Int)
  }

  package struct Placement: Sendable, Hashable {
    package var sequence: Int
    /// Tokens that need not be computed.
    package var reused: Int
    package var commands: [Command]

    package init(sequence: Int, reused: Int, commands: [Command]) {
      self.sequence = sequence
      self.reused = reused
      self.commands = commands
    }
  }

  private struct Sequence {
    enum Use: Hashable {
      case free
      case running
      case cached(lastUse: Int)
    }

    var use = Use.free
    var tokens: [Token] = []
    /// The cell of each token.
    var cells: [Int32] = []
    /// Leading tokens that were computed in whole chunks.
    var wholeChunks = 0

    var lastUse: Int? {
      if case .cached(let lastUse) = use { lastUse } else { nil }
    }
  }

  package private(set) var reuse: Reuse
  /// Cells of the context.
  package let capacity: Int
  /// Cells that only finished sequences may hold.
  package private(set) var cacheLimit: Int

  private var sequences: [Sequence]
  private var freeCells: [Int32]
  /// Of each cell: sequences that hold it, and the running ones among them.
  private var holders: [Int16]
  private var runners: [Int16]
  private var uses = 0

  /// Cells that only finished sequences hold.
  package private(set) var cachedCells = 0

  /// - Parameters:
  ///   - sequences: numbers that the context knows.
  ///   - cacheLimit: nil: all cells.
  package init(sequences: Int, capacity: Int, cacheLimit: Int? = nil, reuse: Reuse = .prefixes) {
    self.reuse = reuse
    self.capacity = capacity
    self.cacheLimit = max(0, cacheLimit ?? capacity)
    self.sequences = Array(repeating: Sequence(), count: sequences)
    freeCells = (0..<Int32(clamping: capacity)).reversed()
    holders = Array(repeating: 0, count: capacity)
    runners = Array(repeating: 0, count: capacity)
  }

  /// The model turned out to keep a state that cannot be cut. Before anything is placed.
  package mutating func restrictToWholeSequences() {
    // A state holds how it was computed: where numbers must not depend on that it begins empty.
    if case .wholeChunks = reuse { cacheLimit = 0 }
    reuse = .wholeSequences
  }

  /// Cells that a running sequence can get: free ones, and those of the cache.
  package var availableCells: Int { freeCells.count + cachedCells }

  /// Cells that running sequences hold.
  package var runningCells: Int { capacity - availableCells }

  /// The tokens in a sequence.
  package func tokens(of sequence: Int) -> [Token] { sequences[sequence].tokens }

  /// How many of the ``availableCells`` a request with these tokens would take, its own cached prefix
  /// among them: it only goes from the cache to the running.
  package func needed(for tokens: [Token]) -> Int {
    guard let match = bestMatch(for: tokens) else { return tokens.count }
    let shared = sequences[match.sequence].cells[..<match.count].count { runners[Int($0)] > 0 }
    return tokens.count - shared
  }

  // MARK: A place for a request

  /// How many of the tokens are there already; the last is always to be computed, for its logits.
  package func reusable(of tokens: [Token]) -> Int { bestMatch(for: tokens)?.count ?? 0 }

  /// Finds a sequence for a request, with the longest prefix that there is.
  ///
  /// - Returns: nil when every sequence runs.
  package mutating func place(_ tokens: [Token]) -> Placement? {
    guard let match = bestMatch(for: tokens) else {
      guard let (target, commands) = emptySequence(sparing: nil) else { return nil }
      setUse(of: target, .running)
      return Placement(sequence: target, reused: 0, commands: commands)
    }
    let source = match.sequence
    let isWhole = match.count == sequences[source].tokens.count
    if sequences[source].lastUse != nil, isWhole || reuse != .prefixes {
      return takeOver(source, keeping: match.count)
    }
    guard let (target, evictions) = emptySequence(sparing: source) else {
      return sequences[source].lastUse == nil ? nil : takeOver(source, keeping: match.count)
    }
    setUse(of: target, .running)
    for place in 0..<match.count {
      let cell = sequences[source].cells[place]
      hold(cell, running: true)
      sequences[target].cells.append(cell)
    }
    sequences[target].tokens = Array(sequences[source].tokens[..<match.count])
    if sequences[source].lastUse != nil { setUse(of: source, .cached(lastUse: nextUse())) }
    return Placement(
      sequence: target, reused: match.count,
      commands: evictions + [.share(from: source, to: target, count: match.count)])
  }

  private func bestMatch(for tokens: [Token]) -> (sequence: Int, count: Int)? {
    var best: (sequence: Int, count: Int)?
    for (number, sequence) in sequences.enumerated() where sequence.use != .free {
      let common = min(commonPrefix(tokens, sequence.tokens), tokens.count - 1)
      let count =
        switch reuse {
        case .prefixes: common
        case .wholeSequences:
          sequence.lastUse != nil && common == sequence.tokens.count ? common : 0
        case .wholeChunks(let size):
          sequence.lastUse != nil ? min(common, sequence.wholeChunks) / size * size : 0
        }
      if count > best?.count ?? 0 { best = (number, count) }
    }
    return best
  }

  private mutating func takeOver(_ sequence: Int, keeping count: Int) -> Placement {
    setUse(of: sequence, .running)
    let isCut = count < sequences[sequence].tokens.count
    cut(sequence, to: count)
    return Placement(
      sequence: sequence, reused: count,
      commands: isCut ? [.keep(sequence: sequence, count: count)] : [])
  }

  private mutating func emptySequence(sparing spared: Int?) -> (Int, [Command])? {
    if let free = sequences.firstIndex(where: { $0.use == .free }) { return (free, []) }
    guard let victim = leastRecentlyUsed(sparing: spared) else { return nil }
    return (victim, [evict(victim)])
  }

  // MARK: Cells

  /// Makes room for so many further tokens at the cost of the cache.
  ///
  /// - Returns: nil when running sequences hold too many cells; nothing is evicted then.
  package mutating func makeRoom(for count: Int) -> [Command]? {
    guard availableCells >= count else { return nil }
    var commands: [Command] = []
    while freeCells.count < count, let victim = leastRecentlyUsed(sparing: nil) {
      commands.append(evict(victim))
    }
    return commands
  }

  /// Forgets every finished sequence.
  package mutating func evictAll() -> [Command] {
    var commands: [Command] = []
    while let victim = leastRecentlyUsed(sparing: nil) { commands.append(evict(victim)) }
    return commands
  }

  /// These tokens were computed. Room was made before.
  package mutating func append(_ tokens: [Token], to sequence: Int) {
    let start = sequences[sequence].tokens.count
    sequences[sequence].tokens += tokens
    for _ in tokens {
      guard let cell = freeCells.popLast() else { preconditionFailure("no room was made") }
      hold(cell, running: true)
      sequences[sequence].cells.append(cell)
    }
    if case .wholeChunks(let size) = reuse, start == sequences[sequence].wholeChunks,
      tokens.count == size
    {
      sequences[sequence].wholeChunks += size
    }
  }

  /// Of a running sequence only the first tokens stay.
  package mutating func keep(_ count: Int, of sequence: Int) -> [Command] {
    cut(sequence, to: count)
    return [.keep(sequence: sequence, count: count)] + keepToLimit()
  }

  /// The request that ran in it has ended.
  ///
  /// - Parameter caching: whether what was computed may serve others.
  package mutating func release(_ sequence: Int, caching: Bool) -> [Command] {
    if caching, !sequences[sequence].tokens.isEmpty {
      setUse(of: sequence, .cached(lastUse: nextUse()))
      return keepToLimit()
    }
    return [evict(sequence)] + keepToLimit()
  }

  /// What a running sequence gives up may be left to the cache alone.
  private mutating func keepToLimit() -> [Command] {
    var commands: [Command] = []
    while cachedCells > cacheLimit, let victim = leastRecentlyUsed(sparing: nil) {
      commands.append(evict(victim))
    }
    return commands
  }

  private func leastRecentlyUsed(sparing spared: Int?) -> Int? {
    sequences.indices
      .filter { $0 != spared && sequences[$0].lastUse != nil }
      .min { (sequences[$0].lastUse ?? 0) < (sequences[$1].lastUse ?? 0) }
  }

  private mutating func evict(_ sequence: Int) -> Command {
    cut(sequence, to: 0)
    setUse(of: sequence, .free)
    return .keep(sequence: sequence, count: 0)
  }

  private mutating func nextUse() -> Int {
    uses += 1
    return uses
  }

  private mutating func setUse(of sequence: Int, _ use: Sequence.Use) {
    let wasRunning = sequences[sequence].use == .running
    sequences[sequence].use = use
    guard wasRunning != (use == .running) else { return }
    for cell in sequences[sequence].cells {
      let place = Int(cell)
      if wasRunning {
        runners[place] -= 1
        if runners[place] == 0 { cachedCells += 1 }
      } else {
        if runners[place] == 0 { cachedCells -= 1 }
        runners[place] += 1
      }
    }
  }

  private mutating func cut(_ sequence: Int, to count: Int) {
    let isRunning = sequences[sequence].use == .running
    while sequences[sequence].cells.count > count {
      let cell = sequences[sequence].cells.removeLast()
      drop(cell, running: isRunning)
    }
    if sequences[sequence].tokens.count > count {
      sequences[sequence].tokens.removeLast(sequences[sequence].tokens.count - count)
    }
    if case .wholeChunks(let size) = reuse {
      sequences[sequence].wholeChunks = min(sequences[sequence].wholeChunks, count / size * size)
    }
  }

  private mutating func hold(_ cell: Int32, running: Bool) {
    let place = Int(cell)
    if holders[place] > 0, runners[place] == 0, running { cachedCells -= 1 }
    holders[place] += 1
    if running { runners[place] += 1 }
  }

  private mutating func drop(_ cell: Int32, running: Bool) {
    let place = Int(cell)
    let wasCached = runners[place] == 0
    holders[place] -= 1
    if running { runners[place] -= 1 }
    if holders[place] == 0 {
      if wasCached { cachedCells -= 1 }
      freeCells.append(cell)
    } else if !wasCached, runners[place] == 0 {
      cachedCells += 1
    }
  }
}

/// How many tokens two texts have in common at their beginning.
package func commonPrefix(_ first: [Token], _ second: [Token]) -> Int {
  let length = min(first.count, second.count)
  for place in 0..<length where first[place] != second[place] { return place }
  return length
}
