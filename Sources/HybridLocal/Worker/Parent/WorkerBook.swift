import HybridCore

/// What a parent expects of its worker: which calls are open, and what may come next for each.
///
/// A value: the thread that reads asks it of every reply, and what it refuses ends the worker. Nothing
/// that passes here makes the parent hold more than ``window`` and one frame for a call, and the text of
/// its answer up to ``longestText``.
package struct WorkerBook: Sendable {
  /// What a call asks for, and so what may answer it.
  package enum Call: Sendable, Hashable {
    case run(choices: Int, wantsLogProbs: Bool)
    case status
    case measure
    case load
    case unload
    case prewarm
  }

  /// What is done with a reply that may come.
  package enum Verdict: Sendable, Hashable {
    case deliver
    /// Its call was given up: nobody waits for it.
    case ignore
    /// It says nothing new.
    case stale
  }

  private struct Entry {
    let call: Call
    var isAccepted = false
    var hasRun = false
    var isDropped = false
    /// Bytes of events that came and were not read yet, and that were read and not credited yet.
    var unread = 0
    var uncredited = 0
    /// Bytes of the answer's text, which the parent keeps in case it fails.
    var text = 0
    /// All that it said, in bytes of text and tokens with their log-probabilities.
    var output = 0
    /// How far its load has come.
    var progress = -1.0
  }

  /// Bytes of a call's events that may be under way unread.
  package static let window = 256 << 10

  /// Bytes of one answer's text: some four million tokens.
  package static let longestText = 16 << 20

  /// A load is heard of at most so often: an honest one tells each hundredth.
  package static let smallestProgress = 0.001

  private var entries: [Int: Entry] = [:]
  private var nextID = 0
  package private(set) var isReady = false

  package init() {}

  /// Whether the worker owes nothing.
  package var isEmpty: Bool { entries.isEmpty }

  package mutating func begin(_ call: Call) -> Int {
    nextID += 1
    entries[nextID] = Entry(call: call)
    return nextID
  }

  /// It was never asked for.
  package mutating func forget(_ id: Int) {
    entries[id] = nil
  }

  package func isOpen(_ id: Int) -> Bool { entries[id] != nil }

  /// Whether its engine has done with it, and its reader has not yet.
  package func isBeingRead(_ id: Int) -> Bool {
    entries[id].map { $0.hasRun && $0.unread > 0 } ?? false
  }

  /// Whether all that the worker owes may wait for readers here.
  package var waitsForReaders: Bool {
    !entries.isEmpty && entries.values.allSatisfy { $0.unread > 0 && !$0.isDropped }
  }

  /// Nobody waits for it any more.
  ///
  /// - Returns: false where it has ended, or was dropped before.
  package mutating func drop(_ id: Int) -> Bool {
    guard entries[id]?.isDropped == false else { return false }
    entries[id]?.isDropped = true
    return true
  }

  /// So many bytes of it were read.
  ///
  /// - Returns: how many to credit, once it is worth a message.
  package mutating func read(_ bytes: Int, of id: Int) -> Int? {
    guard var entry = entries[id], !entry.isDropped else { return nil }
    entry.unread -= bytes
    entry.uncredited += bytes
    let credit = entry.uncredited >= Self.window / 2 ? entry.uncredited : nil
    if credit != nil { entry.uncredited = 0 }
    entries[id] = entry
    return credit
  }

  /// A reply came.
  ///
  /// - Parameter bytes: of its frame.
  /// - Throws: where it may not come now.
  package mutating func received(
    _ reply: WorkerReply, bytes: Int
  ) throws(WireError) -> Verdict {
    guard let id = reply.id else { return try received(reply) }
    guard isReady else { throw WireError("an answer before it was ready") }
    guard var entry = entries[id] else { throw WireError("an answer to no open call") }
    switch (entry.call, reply) {
    case (.run, .accepted):
      guard !entry.isAccepted else { throw WireError("a run that was accepted twice") }
      entry.isAccepted = true
    case (.run(let choices, let wantsLogProbs), .event(_, let event)):
      guard entry.isAccepted else { throw WireError("output before a run was accepted") }
      guard entry.unread < Self.window else { throw WireError("more output than may wait") }
      guard event.isPossible(choices: choices, wantsLogProbs: wantsLogProbs) else {
        throw WireError("output that was not asked for")
      }
      // Also of a dropped one, whose worker gets no more credit.
      entry.unread += bytes
      if case .text(let text) = event { entry.text += text.utf8.count }
      entry.output += event.output?.piece.weight ?? 0
      // Its text, and a log-probability for each of the tokens that it has at most.
      guard entry.text <= Self.longestText, entry.output <= 2 * choices * Self.longestText else {
        throw WireError("more text than a context holds")
      }
    case (.run, .ran):
      guard !entry.hasRun else { throw WireError("a run that ended twice") }
      entry.hasRun = true
    case (.load, .progress(_, let fraction)):
      let isGrown = fraction >= entry.progress + Self.smallestProgress
      guard isGrown || (fraction == 1 && entry.progress < 1) else { return .stale }
      entry.progress = fraction
    case (_, .failed), (.status, .status), (.measure, .measured),
      (.load, .done), (.unload, .done), (.prewarm, .done):
      break
    default: throw WireError("an answer of another kind than asked for")
    }
    entries[id] = reply.isLast ? nil : entry
    return entry.isDropped ? .ignore : .deliver
  }

  private mutating func received(_ reply: WorkerReply) throws(WireError) -> Verdict {
    guard case .ready(let version) = reply else {
      guard isReady else { throw WireError("a beat before it was ready") }
      return .deliver
    }
    guard !isReady else { throw WireError("a second beginning") }
    guard version == WorkerReply.version else {
      throw WireError("version \(version) of the protocol, and not \(WorkerReply.version)")
    }
    isReady = true
    return .deliver
  }
}

extension WorkerReply {
  /// The call that it answers; nil where it answers none.
  var id: Int? {
    switch self {
    case .ready, .beat: nil
    case .accepted(let id), .event(let id, _), .ran(let id, _), .failed(let id, _),
      .status(let id, _), .measured(let id, _), .progress(let id, _), .done(let id, _):
      id
    }
  }

  /// Whether nothing more may come for its call.
  var isLast: Bool {
    switch self {
    case .event(_, .finished), .failed, .status, .measured, .done: true
    case .ready, .beat, .accepted, .event, .ran, .progress: false
    }
  }
}

extension ExecutorEvent {
  /// Whether a run that asks for so many choices may hand it out.
  fileprivate func isPossible(choices: Int, wantsLogProbs: Bool) -> Bool {
    if case .finished(let completion) = self {
      return completion.otherFinishReasons.count == choices - 1
    }
    guard let (choice, piece) = output, (0..<choices).contains(choice), piece.hasContent else {
      return false
    }
    // The first choice's pieces come as they are.
    if case .choice = self, choice == 0 { return false }
    if case .logProbs = piece { return wantsLogProbs }
    return true
  }
}

extension OutputPiece {
  /// What it counts against the most that one answer may have.
  fileprivate var weight: Int {
    switch self {
    case .text(let text), .reasoning(let text): text.utf8.count
    case .logProbs(let tokens): tokens.count
    case .toolCall(let call):
      1 + call.id.utf8.count + call.name.utf8.count + call.arguments.utf8.count
    }
  }
}
