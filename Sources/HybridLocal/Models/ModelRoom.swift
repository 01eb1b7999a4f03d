#if LocalLlama
  import HybridCore
  private import Synchronization

  /// The memory that several models share: sees to it that those nobody uses make room for another.
  package final class ModelRoom: Sendable {
    private struct State {
      var members: [(name: String, lifecycle: Lifecycle<Engine>)] = []
      var rule: RoomRule
    }

    private let state: Mutex<State>
    /// One at a time makes room, so that no two models count on the same memory.
    let turns = Turns()

    init(most: Int?) {
      state = Mutex(State(rule: RoomRule(most: most)))
    }

    func join(_ lifecycle: Lifecycle<Engine>, name: String) {
      state.withLock { $0.members.append((name, lifecycle)) }
    }

    /// Bytes that this model could take if all others went.
    func bytesIfAlone(_ available: Int?, for own: Lifecycle<Engine>) -> Int? {
      let members = others(own).map(\.member)
      return state.withLock { state in
        state.rule.measured(available, members: members)
        return state.rule.bytesIfAlone(available, members: members)
      }
    }

    /// The models in use that leave this one no room now; empty where it could be loaded.
    func inTheWay(of own: Lifecycle<Engine>, need: Int, available: Int?) -> [String] {
      let rule = state.withLock { $0.rule }
      let members = others(own).map(\.member)
      guard
        case .busy(let names) = rule.verdict(need: need, members: members, available: available)
      else { return [] }
      return names
    }

    /// Lets one model go, where one must before this one is loaded.
    ///
    /// - Returns: the engine whose end is to be waited for, and then asked again; nil where there is
    ///   room.
    /// - Throws: `localBusy` where models in use leave no room.
    func unloadOne(
      for own: Lifecycle<Engine>, name: String, need: Int, available: Int?
    ) throws(HybridError) -> Engine? {
      while true {
        let rule = state.withLock { $0.rule }
        let others = others(own)
        let members = others.map(\.member)
        switch rule.verdict(need: need, members: members, available: available) {
        case .load: return nil
        case .unload(let place):
          if case .waitFor(let engine) = others[place].lifecycle.unload() { return engine }
        // A request came in, or it went by itself: look again.
        case .busy(let names): throw Self.busy(name, inUse: names)
        }
      }
    }

    private static func busy(_ name: String, inUse: [String]) -> HybridError {
      HybridError(
        .localBusy,
        "the model \(name) cannot be loaded while \(inUse.joined(separator: " and ")) "
          + (inUse.count == 1 ? "is" : "are") + " in use: there is no room for both",
        nextStep: "Try again when those requests have ended, or allow more memory or models",
        details: ["model": .string(name), "inUse": .array(inUse.map { .string($0) })],
        side: .local)
    }

    private func others(
      _ own: Lifecycle<Engine>
    ) -> [(lifecycle: Lifecycle<Engine>, member: RoomRule.Member)] {
      state.withLock { $0.members }.compactMap { name, lifecycle in
        guard lifecycle !== own, let engine = lifecycle.phase.engine else { return nil }
        return (
          lifecycle,
          RoomRule.Member(
            name: name, bytes: engine.options.neededBytes, idleSince: engine.idleSince)
        )
      }
    }

    /// An engine that was let go and still frees its memory.
    var former: Engine? {
      state.withLock { $0.members }.lazy.compactMap { $0.lifecycle.former }.first
    }
  }
#endif
