/// One event of an event stream.
struct ServerSentEvent: Sendable, Hashable {
  /// `message` unless the stream said otherwise.
  var type: String

  /// The data lines, joined by line feeds, as the bytes that came.
  var data: [UInt8]

  /// The last id that the stream gave; empty where it gave none.
  var id: String

  init(type: String = "message", data: [UInt8], id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }

  /// The data as text; bytes that are not UTF-8 become U+FFFD.
  var text: String {
    String(decoding: data, as: UTF8.self)
  }
}
