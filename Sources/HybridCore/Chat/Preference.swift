/// Which side a policy or a request wants, and whether the other one may stand in.
public enum Preference: String, Sendable, Hashable, Codable, CaseIterable {
  /// Local unless a check sends the request away; remote is the fallback.
  case preferLocal
  /// Local or nothing. Never opens a socket.
  case localOnly
  /// Remote unless a check keeps the request at home; local is the offline fallback.
  case preferRemote
  /// Remote or nothing. Never uses the local model.
  case remoteOnly

  /// The side asked first.
  public var side: Side {
    switch self {
    case .preferLocal, .localOnly: .local
    case .preferRemote, .remoteOnly: .remote
    }
  }

  /// True where the other side is never allowed.
  public var isExclusive: Bool {
    self == .localOnly || self == .remoteOnly
  }
}

/// The two places where a request can run.
public enum Side: String, Sendable, Hashable, Codable, CaseIterable {
  case local
  case remote

  public var other: Side { self == .local ? .remote : .local }
}

/// What a request's content is, as far as it bears on whether it may leave the machine.
///
/// A tag of any name, known or not, keeps a request local unless the policy allows that tag out.
public struct SensitivityTag: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable,
  Codable, Comparable
{
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(stringLiteral value: String) {
    rawValue = value
  }

  public static let `private` = SensitivityTag(rawValue: "private")
  public static let health = SensitivityTag(rawValue: "health")
  public static let financial = SensitivityTag(rawValue: "financial")
  public static let personal = SensitivityTag(rawValue: "personal")

  public static func < (left: SensitivityTag, right: SensitivityTag) -> Bool {
    left.rawValue < right.rawValue
  }
}
