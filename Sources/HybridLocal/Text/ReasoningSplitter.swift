/// Tells a model's reasoning from its answer, while both come in pieces.
///
/// Reasoning stands at the beginning, before any of the answer: later marks are text, since an answer
/// may speak of them. Holds back what may be the beginning of a mark; where the pieces are cut makes
/// no difference. White space around the reasoning belongs to neither.
package struct ReasoningSplitter: Sendable {
  package struct Output: Sendable, Hashable {
    package var reasoning = ""
    /// What of the answer is certain; comes after the reasoning.
    package var text = ""
    /// Bytes of the input so far, the output's reasoning among them, that are not of the answer.
    package var passedOver = 0

    package init(reasoning: String = "", text: String = "", passedOver: Int = 0) {
      self.reasoning = reasoning
      self.text = text
      self.passedOver = passedOver
    }
  }

  private enum Place: Hashable {
    case beginning
    case inside(hasBegun: Bool)
    case after
    case text
  }

  private let open: [UInt8]
  private let close: [UInt8]
  private var place: Place
  private var held: [UInt8] = []

  /// - Parameter use: nil where all is text.
  package init(_ use: ReasoningUse?) {
    open = Array((use?.marks.open ?? "").utf8)
    close = Array((use?.marks.close ?? "").utf8)
    place = use.map { $0.startsInside ? .inside(hasBegun: false) : .beginning } ?? .text
  }

  /// More of what the model writes, in whole characters.
  package mutating func append(_ text: String) -> Output {
    if place == .text { return Output(text: text) }
    held.append(contentsOf: text.utf8)
    var output = Output()
    var isDone = false
    while !isDone { isDone = advance(&output) }
    return output
  }

  /// What was held back, once no more comes.
  package mutating func finish() -> Output {
    defer { held.removeAll() }
    switch place {
    case .beginning, .text: return Output(text: string(held))
    case .inside:
      return Output(reasoning: string(held.withoutTrailingSpace), passedOver: held.count)
    case .after: return Output(passedOver: held.count)
    }
  }

  /// - Returns: true when nothing more is certain.
  private mutating func advance(_ output: inout Output) -> Bool {
    switch place {
    case .beginning:
      let start = held.firstIndex { !$0.isSpace } ?? held.endIndex
      let rest = held[start...]
      if rest.starts(with: open) {
        drop(start + open.count, &output)
        place = .inside(hasBegun: false)
        return false
      }
      if open.starts(with: rest) { return true }
      place = .text
      output.text += string(held)
      held.removeAll()
      return true
    case .inside(let hasBegun):
      if !hasBegun {
        drop(held.firstIndex { !$0.isSpace } ?? held.count, &output)
        if held.isEmpty { return true }
        place = .inside(hasBegun: true)
      }
      if let end = held.firstOccurrence(of: close, from: 0) {
        output.reasoning += string(held[..<end].withoutTrailingSpace)
        drop(end + close.count, &output)
        place = .after
        return false
      }
      let certain = held[..<(held.count - held.lengthOfEnd(beginning: close))].withoutTrailingSpace
      output.reasoning += string(certain)
      drop(certain.count, &output)
      return true
    case .after:
      drop(held.firstIndex { !$0.isSpace } ?? held.count, &output)
      if held.isEmpty { return true }
      place = .text
      return false
    case .text:
      output.text += string(held)
      held.removeAll()
      return true
    }
  }

  private mutating func drop(_ count: Int, _ output: inout Output) {
    held.removeFirst(count)
    output.passedOver += count
  }

  private func string(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }
}

extension RandomAccessCollection<UInt8> where Index == Int, SubSequence == ArraySlice<UInt8> {
  fileprivate var withoutTrailingSpace: ArraySlice<UInt8> {
    var end = endIndex
    while end > startIndex, self[end - 1].isSpace { end -= 1 }
    return self[..<end]
  }

  /// How many of the last bytes may be the beginning of a mark.
  fileprivate func lengthOfEnd(beginning mark: [UInt8]) -> Int {
    var length = Swift.min(count, mark.count - 1)
    while length > 0, !suffix(length).elementsEqual(mark.prefix(length)) { length -= 1 }
    return length
  }
}
