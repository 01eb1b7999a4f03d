import HybridCore

/// A policy as JSON has the properties' names as keys, any of which may be left out; durations are
/// seconds. A key of another name is refused, so that a misspelt limit does not pass for a set one.
extension RoutingPolicy: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case preference, localStandIns, reservedOutputTokens, fallbackOnFailure, fallbackOnRefusal
    case fallbackOnTLSFailure, tagsAllowedRemote, limits, patience, maxLocalWait, failures
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let fields = try StrictFields<Key>(decoder)
    try fields.read(.preference, into: &preference)
    try fields.read(.localStandIns, into: &localStandIns)
    try fields.readCount(.reservedOutputTokens, into: &reservedOutputTokens)
    try fields.read(.fallbackOnFailure, into: &fallbackOnFailure)
    try fields.read(.fallbackOnRefusal, into: &fallbackOnRefusal)
    try fields.read(.fallbackOnTLSFailure, into: &fallbackOnTLSFailure)
    try fields.read(.tagsAllowedRemote, into: &tagsAllowedRemote)
    try fields.read(.limits, into: &limits)
    try fields.readSeconds(.patience, into: &patience)
    try fields.readSeconds(.maxLocalWait, into: &maxLocalWait)
    var changed = FailureTableFields(failures)
    try fields.read(.failures, into: &changed)
    failures = changed.table
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(preference, forKey: .preference)
    try fields.encode(localStandIns, forKey: .localStandIns)
    try fields.encode(reservedOutputTokens, forKey: .reservedOutputTokens)
    try fields.encode(fallbackOnFailure, forKey: .fallbackOnFailure)
    try fields.encode(fallbackOnRefusal, forKey: .fallbackOnRefusal)
    try fields.encode(fallbackOnTLSFailure, forKey: .fallbackOnTLSFailure)
    try fields.encode(tagsAllowedRemote.sorted(), forKey: .tagsAllowedRemote)
    try fields.encode(limits, forKey: .limits)
    try fields.encode(patience.inSeconds, forKey: .patience)
    try fields.encode(maxLocalWait.inSeconds, forKey: .maxLocalWait)
    if failures != .standard { try fields.encode(FailureTableFields(failures), forKey: .failures) }
  }
}

extension RoutingPolicy.GatewayLimits: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case connect, firstByte, idle, total
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let fields = try StrictFields<Key>(decoder)
    connect = try fields.readSeconds(.connect)
    try fields.readSeconds(.firstByte, into: &firstByte)
    try fields.readSeconds(.idle, into: &idle)
    try fields.readSeconds(.total, into: &total)
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encodeIfPresent(connect?.inSeconds, forKey: .connect)
    try fields.encode(firstByte.inSeconds, forKey: .firstByte)
    try fields.encode(idle.inSeconds, forKey: .idle)
    try fields.encode(total.inSeconds, forKey: .total)
  }
}
