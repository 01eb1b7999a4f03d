internal import CHybridCurl

extension ConnectionPhases {
  /// libcurl's own times, each counted from the start of the transfer.
  init(_ times: hybrid_curl_times) {
    func duration(from start: Int64, to end: Int64) -> Duration? {
      end > 0 ? .microseconds(max(0, end - start)) : nil
    }
    self.init(firstByte: duration(from: times.ready, to: times.first_byte))
    isReused = !times.is_connected
    // For a connection used before, libcurl counts the phases that were left out as nearly nothing.
    if isReused { return }
    nameLookup = duration(from: 0, to: times.name_lookup)
    connect = duration(from: times.name_lookup, to: times.connect)
    tls = duration(from: times.connect, to: times.tls)
  }
}

/// Where the way to a gateway stands that is not ready yet.
enum ConnectPhase: String {
  case lookup
  case connect
  case handshake

  init(_ times: hybrid_curl_times) {
    // By the count of connections: their time is told only after the handshake.
    if times.is_connected {
      self = .handshake
    } else {
      self = times.name_lookup > 0 ? .connect : .lookup
    }
  }
}
