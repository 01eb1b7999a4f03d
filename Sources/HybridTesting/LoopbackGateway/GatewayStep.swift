/// One thing that a ``LoopbackGateway`` does on a connection.
public enum GatewayStep: Sendable, Hashable {
  /// Sends these bytes; waits as long as the client does not take them.
  case send([UInt8])
  /// Goes on after one call of ``LoopbackGateway/signal()``.
  case waitForSignal
  /// Does nothing until the client closes the connection or the gateway stops.
  case stall
  /// Closes the connection in order (FIN).
  case close
  /// Breaks the connection off (RST).
  case reset

  public static func send(_ text: String) -> GatewayStep {
    .send(Array(text.utf8))
  }
}

extension GatewayStep {
  /// A whole response with its length announced; the connection stays open.
  public static func response(
    _ status: Int, _ body: String, type: String = "application/json",
    headers: [(String, String)] = []
  ) -> GatewayStep {
    let length = ("Content-Length", String(body.utf8.count))
    return .send(head(status, [("Content-Type", type), length] + headers) + body)
  }

  /// The head of an event stream that ends with the connection.
  public static func streamHead(_ headers: [(String, String)] = []) -> GatewayStep {
    .send(head(200, [("Content-Type", "text/event-stream"), ("Connection", "close")] + headers))
  }

  /// The head of an event stream sent in chunks; the connection can go on after ``lastChunk``.
  public static func chunkedStreamHead(_ headers: [(String, String)] = []) -> GatewayStep {
    .send(
      head(
        200, [("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked")] + headers))
  }

  /// One chunk of a chunked body.
  public static func chunk(_ text: String) -> GatewayStep {
    .send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }

  /// The end of a chunked body.
  public static let lastChunk = GatewayStep.send("0\r\n\r\n")

  /// One event of an event stream.
  public static func event(_ data: String) -> GatewayStep {
    .send("data: \(data)\n\n")
  }

  private static func head(_ status: Int, _ headers: [(String, String)]) -> String {
    let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
    return "HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n"
  }
}
