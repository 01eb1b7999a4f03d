internal import HybridCore

/// Pieces of tool calls ▶ whole calls.
///
/// Gateways differ in what tells the calls apart: an id on every piece, an id on the first and an
/// index after it, the index 0 for all, or nothing but the order. A piece belongs to the call with its
/// id; else to the latest one with its index; else to the latest. A new call begins with a new id, or
/// with a name once the arguments so far are complete. What fits two calls is an error: a call made up
/// of two must never run.
struct ToolCallAssembler: Sendable {
  private struct Call {
    var index: Int?
    var id: String?
    var name: String?
    var arguments = ""

    /// True once the arguments are a whole JSON object.
    var isComplete: Bool {
      guard let value = try? JSONReader.wire.read(arguments) else { return false }
      return value.object != nil
    }
  }

  private var calls: [Call] = []

  /// The pieces of one delta.
  ///
  /// - Throws: `protocol.badJSON` for a piece that could belong to two calls or to none.
  mutating func add(_ deltas: [ChatCompletionChunk.ToolCallDelta]) throws(HybridError) {
    for (position, delta) in deltas.enumerated() {
      let hasKey = delta.id != nil || delta.index != nil || delta.name != nil
      if !hasKey, position > 0 {
        throw Self.ambiguous("two pieces without id, index or name came together")
      }
      let place = try place(of: delta)
      calls[place].index = calls[place].index ?? delta.index
      calls[place].id = calls[place].id ?? delta.id
      if let name = delta.name {
        // Some gateways repeat the name on every piece.
        guard calls[place].name == nil || calls[place].name == name else {
          throw Self.ambiguous("one call has two names")
        }
        calls[place].name = name
      }
      calls[place].arguments += delta.arguments ?? ""
    }
  }

  private mutating func place(
    of delta: ChatCompletionChunk.ToolCallDelta
  ) throws(HybridError) -> Int {
    if let id = delta.id {
      if let known = calls.lastIndex(where: { $0.id == id }) { return known }
      // An id that comes after the call's beginning completes it.
      if let index = delta.index, delta.name == nil,
        let nameless = calls.lastIndex(where: { $0.index == index && $0.id == nil })
      {
        return nameless
      }
      return begin()
    }
    let latest =
      delta.index.map { index in calls.lastIndex { $0.index == index } } ?? calls.indices.last
    guard let latest else {
      guard delta.name != nil || delta.index != nil else {
        throw Self.ambiguous("a piece came before any call began")
      }
      return begin()
    }
    guard let name = delta.name else { return latest }
    let call = calls[latest]
    let startsArguments = delta.arguments.map { $0.isEmpty || $0.first == "{" } ?? true
    if call.isComplete, startsArguments, delta.arguments?.isEmpty == false || call.name != name {
      return begin()
    }
    return latest
  }

  private mutating func begin() -> Int {
    calls.append(Call())
    return calls.count - 1
  }

  /// The whole calls, once the answer has ended.
  ///
  /// A gateway's empty arguments become `{}`, and a call without an id is named by its place
  /// (`call_0`), so that a tool's result can refer to it.
  ///
  /// - Parameter reason: an answer cut off by `length` or `contentFilter` may end inside a call,
  ///   which is then left out. In any other answer that is an error.
  /// - Throws: `protocol.badJSON`.
  func finish(as reason: FinishReason) throws(HybridError) -> [ToolCall] {
    let mayBeCut = reason == .length || reason == .contentFilter
    var whole: [ToolCall] = []
    for (place, var call) in calls.enumerated() {
      if call.arguments.allSatisfy(\.isWhitespace), !mayBeCut { call.arguments = "{}" }
      guard let name = call.name, call.isComplete else {
        if mayBeCut { continue }
        throw Self.ambiguous(
          call.name == nil ? "a call has no name" : "a call's arguments are not a JSON object")
      }
      whole.append(ToolCall(id: call.id ?? "call_\(place)", name: name, arguments: call.arguments))
    }
    return whole
  }

  private static func ambiguous(_ what: String) -> HybridError {
    HybridError(
      .badJSON, "the gateway's tool calls cannot be read: \(what)",
      nextStep: "Try again; if it recurs report it to the gateway's maker", side: .remote)
  }
}
