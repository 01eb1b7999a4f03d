import HybridCore
import HybridLocal
import Testing

struct GenerationTests {
  /// Runs a generation on a made-up model whose tokens are these pieces; nil ends the text.
  static func run(
    _ generation: inout Generation, pieces: [String?], limit: Int = 1000
  ) -> (text: String, steps: [Generation.Step]) {
    var text = ""
    var steps: [Generation.Step] = []
    var next = pieces.startIndex
    for _ in 0..<limit {
      let step = generation.step
      steps.append(step)
      switch step {
      case .prefill, .decode: generation.decoded(.done)
      case .sample:
        let piece = next < pieces.endIndex ? pieces[next] : "x"
        text += generation.sampled(
          Token(next), piece: Array((piece ?? "").utf8), endsGeneration: piece == nil)
        next += 1
      case .finish, .fail: return (text, steps)
      }
    }
    return (text, steps)
  }

  @Test func `a prompt longer than a batch is computed in chunks, the last one with logits`() {
    var generation = Generation(promptCount: 10, contextLength: 100, chunk: 4, maxTokens: 1)
    let (text, steps) = Self.run(&generation, pieces: ["a"])
    #expect(
      steps == [
        .prefill(0..<4, wantsLogits: false), .prefill(4..<8, wantsLogits: false),
        .prefill(8..<10, wantsLogits: true), .sample, .finish(.length),
      ])
    #expect(text == "a")
  }

  @Test func `each token is computed at the position after the one before`() {
    var generation = Generation(promptCount: 3, contextLength: 100, chunk: 8, maxTokens: 3)
    let (_, steps) = Self.run(&generation, pieces: ["a", "b", "c"])
    #expect(
      steps == [
        .prefill(0..<3, wantsLogits: true), .sample, .decode(0, position: 3), .sample,
        .decode(1, position: 4), .sample, .finish(.length),
      ])
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var name: String
    var pieces: [String?]
    var contextLength = 100
    var maxTokens: Int?
    var stop: [String] = []
    var reason: FinishReason
    var text: String
    var generated: Int
    var testDescription: String { name }
  }

  static let endings = [
    Ending(
      name: "the model's end", pieces: ["a", "b", nil], reason: .stop, text: "ab", generated: 3),
    Ending(
      name: "the end at once", pieces: [nil], reason: .stop, text: "", generated: 1),
    Ending(
      name: "the limit", pieces: ["a", "b", "c"], maxTokens: 2, reason: .length, text: "ab",
      generated: 2),
    Ending(
      name: "the end as the last allowed token", pieces: ["a", nil], maxTokens: 2, reason: .stop,
      text: "a", generated: 2),
    Ending(
      name: "a stop string over three tokens", pieces: ["a E", "N", "D b"], stop: ["END"],
      reason: .stop, text: "a ", generated: 3),
    Ending(
      name: "a stop string begun and not finished", pieces: ["a E", "N", nil], stop: ["END"],
      reason: .stop, text: "a EN", generated: 3),
    Ending(
      name: "a stop string as the last allowed token", pieces: ["a", "END"], maxTokens: 2,
      stop: ["END"], reason: .stop, text: "a", generated: 2),
    // 10 cells: 8 of the prompt, 2 answers computed, and the third only chosen.
    Ending(
      name: "the context's end", pieces: ["a", "b", "c", "d"], contextLength: 10,
      reason: .contextFull, text: "abc", generated: 3),
  ]

  @Test(arguments: endings)
  func `an answer ends for one reason, with all of its text`(ending: Ending) {
    var generation = Generation(
      promptCount: 8, contextLength: ending.contextLength, chunk: 8, maxTokens: ending.maxTokens,
      stop: ending.stop)
    let (text, steps) = Self.run(&generation, pieces: ending.pieces)
    #expect(steps.last == .finish(ending.reason))
    #expect(text == ending.text)
    #expect(generation.generated == ending.generated)
  }

  @Test func `half a character is held until it is whole`() {
    var generation = Generation(promptCount: 1, contextLength: 100, chunk: 8)
    generation.decoded(.done)
    let bytes = Array("🙂".utf8)
    #expect(generation.sampled(1, piece: Array(bytes[..<2]), endsGeneration: false) == "")
    generation.decoded(.done)
    #expect(generation.sampled(2, piece: Array(bytes[2...]), endsGeneration: false) == "🙂")
  }

  @Test func `a cancelled answer gives out what it held back`() {
    var generation = Generation(promptCount: 1, contextLength: 100, chunk: 8, stop: ["END"])
    generation.decoded(.done)
    #expect(generation.sampled(1, piece: Array("a EN".utf8), endsGeneration: false) == "a ")
    #expect(generation.cancelled() == "EN")
    #expect(generation.step == .finish(.cancelled))
  }

  @Test func `a chunk that finds no room is halved, and a single token fails`() {
    var generation = Generation(promptCount: 4, contextLength: 100, chunk: 4)
    generation.decoded(.noRoom)
    #expect(generation.step == .prefill(0..<2, wantsLogits: false))
    generation.decoded(.noRoom)
    #expect(generation.step == .prefill(0..<1, wantsLogits: false))
    generation.decoded(.noRoom)
    #expect(generation.step == .fail(.decode(.noRoom)))
  }

  @Test(arguments: [DecodeOutcome.invalidBatch, .failed(code: -2), .failed(code: 7)])
  func `a failed decode is a failure, never an end`(outcome: DecodeOutcome) {
    var generation = Generation(promptCount: 1, contextLength: 100, chunk: 8)
    generation.decoded(.done)
    _ = generation.sampled(1, piece: [0x61], endsGeneration: false)
    generation.decoded(outcome)
    #expect(generation.step == .fail(.decode(outcome)))
  }

  @Test func `no token is a failure`() {
    var generation = Generation(promptCount: 1, contextLength: 100, chunk: 8)
    generation.decoded(.done)
    _ = generation.sampled(nil, piece: [], endsGeneration: false)
    #expect(generation.step == .fail(.noToken))
  }

  static let codes: [(Int32, DecodeOutcome)] = [
    (0, .done), (1, .noRoom), (2, .aborted), (-1, .invalidBatch), (-2, .failed(code: -2)),
    (-3, .failed(code: -3)), (3, .failed(code: 3)), (-1000, .failed(code: -1000)),
  ]

  @Test(arguments: codes)
  func `each code of a decode has its own meaning`(code: Int32, outcome: DecodeOutcome) {
    #expect(DecodeOutcome(code: code) == outcome)
  }
}
