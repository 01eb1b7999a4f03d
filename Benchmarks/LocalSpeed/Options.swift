#if LocalLlama
  import Foundation
  import HybridLocal

  struct Options {
    var rounds = 15
    var threads = Machine.current.threadPlan().decode.count
    var model = share + "/models/SmolLM2-135M-Instruct.Q4_1.gguf"
    var peer = share + "/peers/bin/llama-bench"
    var loadCycles: Int?
    /// Contexts to measure memory at.
    var memory: [Int] = []
    let promptTokens = 256
    let outputTokens = 32

    private static let share =
      (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/hybridkit"

    /// Numbers of 2 or more with commas between them; none where anything else is there.
    private static func numbers(_ text: String) -> [Int] {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Int($0) ?? 0
      }
      return numbers.allSatisfy { $0 > 1 } ? numbers : []
    }

    struct Unknown: Error, CustomStringConvertible {
      let description: String
    }

    init(_ arguments: some Sequence<String>) throws {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        guard let value = rest.next() else { throw Unknown(description: "\(name) lacks a value") }
        switch (name, Int(value)) {
        case ("--rounds", let count?) where count > 0: rounds = count
        case ("--threads", let count?) where count > 0: threads = count
        case ("--load-cycles", let count?) where count > 0: loadCycles = count
        case ("--memory", _) where !Self.numbers(value).isEmpty: memory = Self.numbers(value)
        case ("--model", _): model = value
        case ("--llama-bench", _): peer = value
        default: throw Unknown(description: "unknown option or value: \(name) \(value)")
        }
      }
    }
  }
#endif
