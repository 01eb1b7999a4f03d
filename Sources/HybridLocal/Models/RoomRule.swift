package import HybridCore

/// What has to go before one more model is loaded. Pure.
///
/// A model that is loaded counts with all that it was foretold to need: much of that is taken only as
/// its context fills, and pages of a mapped file never look taken. So what is free is the smaller of
/// what the machine tells now and of what it told when none of them was there, less their needs.
package struct RoomRule: Sendable, Hashable {
  /// A model that is loaded, or on its way.
  package struct Member: Sendable, Hashable {
    package var name: String
    /// What it was foretold to need.
    package var bytes: Int
    /// When its last request ended; nil while it is in use or being loaded.
    package var idleSince: Moment?

    package init(name: String, bytes: Int, idleSince: Moment?) {
      self.name = name
      self.bytes = bytes
      self.idleSince = idleSince
    }
  }

  package enum Verdict: Sendable, Hashable {
    case load
    /// First this one is to go, the least recently used of those that are idle.
    case unload(Int)
    /// Those in use leave no room, whatever else goes.
    case busy(names: [String])
  }

  /// Models that may be loaded at once; nil: as many as fit.
  package var most: Int?
  /// Bytes that the machine had available when none of the models was loaded; nil where nobody knows.
  package var emptyBytes: Int?

  package init(most: Int? = nil, emptyBytes: Int? = nil) {
    self.most = most
    self.emptyBytes = emptyBytes
  }

  /// What the machine told just now.
  package mutating func measured(_ available: Int?, members: [Member]) {
    if members.isEmpty {
      emptyBytes = available
    } else if let available, let known = emptyBytes, available > known {
      emptyBytes = available
    }
  }

  /// Bytes that a model could take if all others went; nil where the machine does not tell.
  package func bytesIfAlone(_ available: Int?, members: [Member]) -> Int? {
    available.map { min(Self.sum($0, members), emptyBytes ?? .max) }
  }

  /// - Parameters:
  ///   - need: bytes that the model will take.
  ///   - members: the others.
  ///   - available: what the machine tells now; nil where it does not.
  package func verdict(need: Int, members: [Member], available: Int?) -> Verdict {
    func fits(_ stay: [Member]) -> Bool {
      if let most, stay.count >= most { return false }
      guard let available else { return true }
      let gone = members.filter { !stay.contains($0) }
      let free = min(Self.sum(available, gone), (emptyBytes ?? .max) - Self.sum(0, stay))
      return need <= free
    }
    if fits(members) { return .load }
    let inUse = members.filter { $0.idleSince == nil }
    guard fits(inUse) else {
      // Nobody is in the way: whether the machine has enough at all was judged before.
      return inUse.isEmpty
        ? oldest(members).map { .unload($0) } ?? .load : .busy(names: inUse.map(\.name))
    }
    return oldest(members).map { .unload($0) } ?? .load
  }

  private func oldest(_ members: [Member]) -> Int? {
    let idle = members.indices.compactMap { place in
      members[place].idleSince.map { (since: $0, place: place) }
    }
    return idle.min { ($0.since, $0.place) < ($1.since, $1.place) }?.place
  }

  private static func sum(_ start: Int, _ members: [Member]) -> Int {
    members.reduce(start) {
      let (sum, overflow) = $0.addingReportingOverflow($1.bytes)
      return overflow ? .max : sum
    }
  }
}
