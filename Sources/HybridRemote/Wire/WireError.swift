internal import HybridCore

/// What a gateway said was wrong, from whichever of the shapes in use.
struct WireError: Sendable, Hashable {
  var message: String?
  var type: String?
  var code: String?
  var param: String?
  /// An HTTP status told inside the body: a stream's own status was 200.
  var status: Int?
  /// The prompt's tokens and the context's, where the error has fields for them.
  var promptTokens: Int?
  var contextLength: Int?
}

extension WireError {
  /// The error that a JSON body or a piece of a stream holds; nil where it holds none.
  ///
  /// - Parameter isFailure: the status or the event's type already says that it is one: then other
  ///   shapes count too, which could stand in a good answer.
  init?(_ value: JSONValue, isFailure: Bool = false) {
    switch value["error"] {
    case .object(let object):
      self.init(fields: .object(object))
      return
    case .string(let text) where !text.isEmpty:
      self.init(fields: value)
      message = text
      return
    case .array(let list) where !list.isEmpty:
      self.init(fields: list[0])
      return
    case .bool(true):
      self.init(fields: value)
      return
    default:
      break
    }
    if value["error_type"]?.string != nil || value["error_message"]?.string != nil {
      self.init(fields: value)
      type = value["error_type"]?.string ?? type
      message = value["error_message"]?.string ?? message
      return
    }
    if value["object"]?.string == "error" || value["type"]?.string == "error" {
      self.init(fields: value)
      return
    }
    // OpenRouter's choices carry their own.
    if let inner = value["choices"]?.array?.lazy.compactMap({ $0["error"] }).first(where: {
      $0.object != nil
    }) {
      self.init(fields: inner)
      return
    }
    guard isFailure else { return nil }
    self.init(fields: value)
    if let detail = value["detail"] {
      message = detail.string ?? detail.array?.first?["msg"]?.string ?? message
    }
    if let first = value["errors"]?.array?.first {
      message = message ?? first.string ?? first["message"]?.string
    }
    if value.string != nil { message = value.string }
  }

  private init(fields value: JSONValue) {
    message = value["message"]?.string ?? value["msg"]?.string
    type = value["type"]?.string
    code = value["code"]?.string
    param = value["param"]?.string
    promptTokens = value["n_prompt_tokens"]?.int
    contextLength = value["n_ctx"]?.int
    let number = value["code"]?.int ?? value["status"]?.int ?? value["status_code"]?.int
    status = number.flatMap { (400...599).contains($0) ? $0 : nil }
  }
}
