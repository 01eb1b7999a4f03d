/// A request as a ``LoopbackGateway`` received it.
public struct RecordedRequest: Sendable, Hashable {
  /// Counted from 1 over all connections of the gateway.
  public var number: Int
  /// Counted from 1; equal for requests that shared a connection.
  public var connection: Int
  public var method: String
  /// As it stood in the request line.
  public var target: String
  /// In the order received, names as written.
  public var headers: [Header]
  public var body: [UInt8]

  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String
  }

  /// The first value of that name, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  public var bodyText: String {
    String(decoding: body, as: UTF8.self)
  }
}

extension RecordedRequest {
  /// Reads one request off the front of `buffer`; nil as long as it is not complete.
  init?(consuming buffer: inout [UInt8], number: Int, connection: Int) {
    guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...]
      return Header(name: String(line[..<colon]), value: String(value.drop { $0 == " " }))
    }
    let length =
      headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    guard buffer.count - end.upperBound >= length else { return nil }
    body = Array(buffer[end.upperBound..<end.upperBound + length])
    buffer.removeFirst(end.upperBound + length)
    method = words.first.map(String.init) ?? ""
    target = words.dropFirst().first.map(String.init) ?? ""
    self.number = number
    self.connection = connection
  }
}
