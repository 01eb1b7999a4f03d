import HybridCore
import HybridLocal
import Testing

/// What a worker may say, and when.
@Suite struct WorkerBookTests {
  private static let completion = Completion(finishReason: .stop)
  private static let failure = HybridError(.internal, "")
  private static let status = LocalStatus(
    model: LocalModelInfo(name: "", path: ""), state: .ready, contextLength: nil)

  private func book(_ call: WorkerBook.Call) throws -> WorkerBook {
    var book = WorkerBook()
    _ = try book.received(.ready(version: WorkerReply.version), bytes: 1)
    _ = book.begin(call)
    return book
  }

  private static let run = WorkerBook.Call.run(choices: 1, wantsLogProbs: false)
  private static let token = TokenLogProb(text: "a", bytes: nil, token: nil, logProb: -1)

  /// What may follow what, in the order that workers say it.
  @Test(
    arguments: [
      (run, [.accepted(1), .event(1, .text("a")), .ran(1, nil), .event(1, .finished(completion))]),
      (run, [.ran(1, .localBusy), .failed(1, failure)]),
      (run, [.beat, .accepted(1), .ran(1, .decodeFailed), .failed(1, failure)]),
      (
        .run(choices: 2, wantsLogProbs: true),
        [
          .accepted(1), .event(1, .choice(1, .text("b"))), .event(1, .logProbs([token])),
          .event(1, .finished(Completion(finishReason: .stop, otherFinishReasons: [.stop]))),
        ]
      ),
      (.status, [.status(1, status)]), (.measure, [.measured(1, .counted(3))]),
      (.load, [.progress(1, 0.5), .progress(1, 1), .done(1, tokens: 0)]),
      (.unload, [.failed(1, failure)]), (.prewarm, [.done(1, tokens: 7)]),
    ] as [(WorkerBook.Call, [WorkerReply])])
  func `an honest worker is heard to its end`(
    call: WorkerBook.Call, replies: [WorkerReply]
  ) throws {
    var book = try book(call)
    for reply in replies {
      let verdict = try book.received(reply, bytes: 10)
      #expect(verdict == .deliver)
    }
    #expect(book.isEmpty)
  }

  @Test(
    arguments: [
      [.ready(version: WorkerReply.version)], [.accepted(2)], [.accepted(0)],
      [.event(1, .text("a"))], [.accepted(1), .accepted(1)], [.ran(1, nil), .ran(1, nil)],
      [.accepted(1), .event(1, .text(""))], [.accepted(1), .event(1, .logProbs([token]))],
      [.accepted(1), .event(1, .choice(0, .text("a")))],
      [.accepted(1), .event(1, .choice(1, .text("a")))],
      [.accepted(1), .event(1, .choice(-1, .text("a")))],
      [.accepted(1), .event(1, .finished(completion)), .event(1, .text("a"))],
      [
        .accepted(1),
        .event(1, .finished(Completion(finishReason: .stop, otherFinishReasons: [.stop]))),
      ],
      [.failed(1, failure), .failed(1, failure)], [.status(1, status)],
      [.measured(1, .counted(1))], [.done(1, tokens: 0)], [.progress(1, 0)],
    ] as [[WorkerReply]])
  func `a worker that says what nobody asked, or out of order, is refused`(
    replies: [WorkerReply]
  ) throws {
    var book = try book(Self.run)
    for reply in replies.dropLast() { _ = try book.received(reply, bytes: 1) }
    let last = try #require(replies.last)
    #expect(throws: WireError.self) { try book.received(last, bytes: 1) }
  }

  @Test func `nothing may come before it is ready, nor of another version`() {
    var book = WorkerBook()
    #expect(throws: WireError.self) { try book.received(.beat, bytes: 1) }
    #expect(throws: WireError.self) { try book.received(.accepted(1), bytes: 1) }
    #expect(throws: WireError.self) { try book.received(.ready(version: 0), bytes: 1) }
  }

  @Test func `output that nobody reads is bounded by the window and one frame`() throws {
    var book = try book(Self.run)
    _ = try book.received(.accepted(1), bytes: 1)
    let frame = 100 << 10
    for _ in 0..<3 { _ = try book.received(.event(1, .text("a")), bytes: frame) }
    #expect(throws: WireError.self) { try book.received(.event(1, .text("a")), bytes: frame) }
    // Credit comes once half a window was read, for all of it.
    let credits = [book.read(frame, of: 1), book.read(frame, of: 1)]
    #expect(credits == [nil, 2 * frame])
    let verdict = try book.received(.event(1, .text("a")), bytes: frame)
    #expect(verdict == .deliver)
  }

  @Test func `what comes for a call that was given up is passed over, its end included`() throws {
    var book = try book(Self.run)
    _ = try book.received(.accepted(1), bytes: 1)
    let drops = [book.drop(1), book.drop(1)]
    #expect(drops == [true, false])
    let verdict = try book.received(.event(1, .text("a")), bytes: WorkerBook.window)
    #expect(verdict == .ignore)
    #expect(!book.isEmpty)
    let last = try book.received(.failed(1, Self.failure), bytes: 1)
    #expect(last == .ignore)
    #expect(book.isEmpty)
  }

  @Test
  func `a call that was given up may not go on for ever, and no answer is longer than a context`()
    throws
  {
    var book = try book(Self.run)
    _ = try book.received(.accepted(1), bytes: 1)
    _ = book.drop(1)
    _ = try book.received(.event(1, .text("a")), bytes: WorkerBook.window)
    #expect(throws: WireError.self) { try book.received(.event(1, .text("a")), bytes: 1) }

    var long = try self.book(Self.run)
    _ = try long.received(.accepted(1), bytes: 1)
    let piece = String(repeating: "a", count: 1 << 20)
    for _ in 0..<16 { _ = try long.received(.event(1, .text(piece)), bytes: 1) }
    #expect(throws: WireError.self) { try long.received(.event(1, .text(piece)), bytes: 1) }
  }

  // No arguments: each would be printed whole.
  @Test func `no output of any kind goes on for ever`() throws {
    let text = String(repeating: "a", count: 1 << 20)
    let pieces: [ExecutorEvent] = [
      .reasoning(text), .choice(1, .text(text)),
      .logProbs(Array(repeating: Self.token, count: 1 << 20)),
    ]
    for piece in pieces {
      var book = try book(.run(choices: 2, wantsLogProbs: true))
      _ = try book.received(.accepted(1), bytes: 1)
      for _ in 0..<64 { _ = try book.received(.event(1, piece), bytes: 1) }
      #expect(throws: WireError.self) { try book.received(.event(1, piece), bytes: 1) }
    }
  }

  @Test func `a load only grows, in a thousand steps at most`() throws {
    var book = try book(.load)
    func verdict(_ fraction: Double) throws -> WorkerBook.Verdict {
      try book.received(.progress(1, fraction), bytes: 1)
    }
    let told = try [0, 0, 0.5, 0.25, 0.5, 0.500_1, 0.501, 0.999_9, 1, 1, 0].map(verdict)
    #expect(
      told == [
        .deliver, .stale, .deliver, .stale, .stale, .stale, .deliver, .deliver, .deliver, .stale,
        .stale,
      ])
    #expect(!book.isEmpty)
  }

  @Test(arguments: ["1.5", "-0.1", "1e999", "null", "\"NaN\"", "true"])
  func `how far a load has come is a number from 0 to 1`(fraction: String) {
    #expect(throws: WireError.self) {
      let message = try WireFrame.message(Array(#"{"progress":[1,\#(fraction)]}"#.utf8))
      _ = try WorkerReply(wire: message, at: .origin)
    }
  }

  @Test func `a worker waits for readers where nothing else is owed`() throws {
    var book = try book(Self.run)
    #expect(!book.waitsForReaders)
    _ = try book.received(.accepted(1), bytes: 1)
    _ = try book.received(.event(1, .text("a")), bytes: 5)
    #expect(book.waitsForReaders)
    let other = book.begin(.status)
    #expect(!book.waitsForReaders)
    book.forget(other)
    _ = book.drop(1)
    #expect(!book.waitsForReaders)
  }

  @Test func `a request whose engine has done with it, and whose reader has not, is being read`()
    throws
  {
    var book = try book(Self.run)
    _ = try book.received(.accepted(1), bytes: 1)
    _ = try book.received(.event(1, .text("a")), bytes: 5)
    #expect(!book.isBeingRead(1))
    _ = try book.received(.ran(1, nil), bytes: 5)
    #expect(book.isBeingRead(1))
    _ = book.read(5, of: 1)
    #expect(!book.isBeingRead(1))
  }

  #if LocalLlama
    @Test func `a table crosses as far as a local executor asks it`() {
      var table = FailureTable.standard
      table.move(.decodeFailed, to: .localRefusal)
      table.move(.internal, to: .localFailure)
      let crossed = FailureTable(breaking: table.breaking)
      for code in [ErrorCode.decodeFailed, .internal, .engineLost, .deadlineExceeded, .localBusy] {
        #expect(
          crossed.row(for: code).localEffect == table.row(for: code).localEffect, "\(code)")
      }
    }
  #endif
}
