package import HybridCore

/// A message's form as bytes: its length in four bytes, the greatest first, then JSON.
package enum WireFrame {
  /// Bytes that a message to a worker may have: a request's whole conversation is one.
  package static let longestCommand = 64 << 20

  /// Bytes that a worker may say at once. The greatest that an engine does are the log-probabilities of
  /// what a stop string held back: 1,024 tokens with 20 alternatives each.
  package static let longestReply = 4 << 20

  package static func bytes(_ message: JSONValue) -> [UInt8] {
    let body = JSONWriter.compact.bytes(message)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + 4)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
    bytes += body
    return bytes
  }

  /// Lists and objects in each other: those of a schema or of details that are passed on whole, within
  /// a message.
  private static let reader = JSONReader(
    maximumDepth: 600, repeatedKeys: .refused, malformedText: .refused)

  /// - Throws: for what is no JSON, which says where but nothing of it.
  package static func message(_ body: [UInt8]) throws(WireError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try reader.read(body)
    } catch {
      throw WireError("no JSON at byte \(error.offset)")
    }
  }
}

/// Cuts what comes out of a descriptor into frames. Holds no more than one frame and one read.
package struct FrameReader: Sendable {
  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0

  /// - Parameter limit: the most bytes of a frame's body.
  package init(limit: Int) {
    self.limit = limit
  }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// The next whole frame's body; nil where more bytes are needed.
  ///
  /// - Throws: for a length that no frame has, before any of it is read.
  package mutating func next() throws(WireError) -> [UInt8]? {
    guard buffer.count - start >= 4 else { return nil }
    let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard (1...limit).contains(length) else {
      throw WireError("a frame of \(length) bytes, where 1 to \(limit) are allowed")
    }
    guard buffer.count - start - 4 >= length else { return nil }
    let body = buffer[(start + 4)..<(start + 4 + length)]
    start += 4 + length
    return Array(body)
  }
}
