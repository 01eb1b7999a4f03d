package import HybridCore

extension HybridError: WireValue {
  /// Everything but ``underlying``, which may be of any type.
  package var wire: JSONValue {
    [
      "code": code.wire,
      "message": message.wire,
      "nextStep": nextStep.wire,
      "details": details.wire,
      "side": side.wire,
      "gateway": gateway.wire,
      "committed": committed.wire,
      "partialText": partialText.wire,
      "attempts": attempts.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "code", "message", "nextStep", "details", "side", "gateway", "committed",
      "partialText", "attempts")
    self.init(
      try fields["code"], try fields["message"], nextStep: try fields["nextStep"],
      details: try fields["details"], side: try fields["side"], gateway: try fields["gateway"],
      committed: try fields["committed"], partialText: try fields["partialText"],
      attempts: try fields["attempts"])
  }
}

extension GatewayResponseInfo: WireValue {
  package var wire: JSONValue {
    [
      "status": status.wire,
      "code": code.wire,
      "type": type.wire,
      "param": param.wire,
      "message": message.wire,
      "requestID": requestID.wire,
      "retryAfter": retryAfter.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "status", "code", "type", "param", "message", "requestID", "retryAfter")
    self.init(
      status: try fields.optionalCount("status"), code: try fields["code"],
      type: try fields["type"], param: try fields["param"], message: try fields["message"],
      requestID: try fields["requestID"], retryAfter: try fields.optionalTime("retryAfter"))
  }
}

extension Attempt: WireValue {
  package var wire: JSONValue {
    [
      "side": side.wire, "failure": failure.wire, "status": status.wire, "duration": duration.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "side", "failure", "status", "duration")
    self.init(
      side: try fields["side"], failure: try fields["failure"],
      status: try fields.optionalCount("status"), duration: try fields.time("duration"))
  }
}
