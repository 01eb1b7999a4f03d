/// A JSON object: members in the order written; of repeated keys the last one counts.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  public private(set) var members: [Member] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { self[key] = value }
  }

  /// Setting nil removes the member. Look-up is linear: objects here have a few dozen members.
  public subscript(key: String) -> JSONValue? {
    get { members.last { $0.key.isSame(as: key) }?.value }
    set {
      let place = members.lastIndex { $0.key.isSame(as: key) }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  public var isEmpty: Bool { members.isEmpty }
  public var keys: [String] { members.map(\.key) }

  /// For the reader, which has already seen to repeated keys.
  package init(uncheckedMembers members: [Member]) {
    self.members = members
  }
}
