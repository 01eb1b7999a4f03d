#if LocalLlama
  import Foundation
  import HybridLocal
  import Measuring

  struct Options {
    var rounds = 15
    var threads = Machine.current.threadPlan().decode.count
    var model = InstalledFiles.model
    var peer = InstalledFiles.peer("llama-bench")
    var loadCycles: Int?
    var requests: Int?
    /// Rounds of the pre-flight.
    var preFlight: Int?
    /// Contexts to measure memory at.
    var memory: [Int] = []
    /// Tokens of the context that are filled while it is measured; nil: all.
    var filled: Int?
    /// Requests at once while it is measured.
    var parallel = 1
    let promptTokens = 256
    let outputTokens = 32

    /// Numbers of 2 or more with commas between them; none where anything else is there.
    private static func numbers(_ text: String) -> [Int] {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Int($0) ?? 0
      }
      return numbers.allSatisfy { $0 > 1 } ? numbers : []
    }

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        guard let value = rest.next() else { throw UsageError("\(name) lacks a value") }
        switch (name, Int(value)) {
        case ("--rounds", let count?) where count > 0: rounds = count
        case ("--threads", let count?) where count > 0: threads = count
        case ("--requests", let count?) where count > 0: requests = count
        case ("--pre-flight", let count?) where count > 0: preFlight = count
        case ("--parallel", let count?) where count > 0: parallel = count
        case ("--filled", let count?) where count > 1: filled = count
        case ("--load-cycles", let count?) where count > 0: loadCycles = count
        case ("--memory", _) where !Self.numbers(value).isEmpty: memory = Self.numbers(value)
        case ("--model", _): model = value
        case ("--llama-bench", _): peer = value
        default: throw UsageError("unknown option or value: \(name) \(value)")
        }
      }
    }
  }
#endif
