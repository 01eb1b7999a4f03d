package import HybridCore

extension Completion: WireValue {
  package var wire: JSONValue {
    [
      "finishReason": finishReason.wire,
      "otherFinishReasons": otherFinishReasons.wire,
      "model": model.wire,
      "tunedFormat": tunedFormat.wire,
      "usage": usage.wire,
      "timings": timings.wire,
      "threads": threads.wire,
      "requestID": requestID.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "finishReason", "otherFinishReasons", "model", "tunedFormat", "usage", "timings",
      "threads", "requestID")
    self.init(
      finishReason: try fields["finishReason"],
      otherFinishReasons: try fields["otherFinishReasons"], model: try fields["model"],
      tunedFormat: try fields["tunedFormat"], usage: try fields["usage"],
      timings: try fields["timings"], threads: try fields["threads"],
      requestID: try fields["requestID"])
  }
}

extension Usage: WireValue {
  package var wire: JSONValue {
    [
      "promptTokens": promptTokens.wire,
      "cachedTokens": cachedTokens.wire,
      "completionTokens": completionTokens.wire,
      "counted": counted.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "promptTokens", "cachedTokens", "completionTokens", "counted")
    self.init(
      promptTokens: try fields.optionalCount("promptTokens"),
      cachedTokens: try fields.optionalCount("cachedTokens"),
      completionTokens: try fields.optionalCount("completionTokens"),
      counted: try fields["counted"])
  }
}

extension Timings: WireValue {
  package var wire: JSONValue {
    [
      "queue": queue.wire,
      "load": load.wire,
      "prefill": prefill.wire,
      "decode": decode.wire,
      "firstToken": firstToken.wire,
      "total": total.wire,
      "throttled": throttled.wire,
      "cpuPressure": cpuPressure.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "queue", "load", "prefill", "decode", "firstToken", "total", "throttled",
      "cpuPressure")
    self.init(
      queue: try fields.optionalTime("queue"), load: try fields.optionalTime("load"),
      prefill: try fields.optionalTime("prefill"), decode: try fields.optionalTime("decode"),
      firstToken: try fields.optionalTime("firstToken"), total: try fields.optionalTime("total"),
      throttled: try fields.optionalTime("throttled"),
      cpuPressure: try fields.optionalShare("cpuPressure"))
  }
}

extension ThreadCounts: WireValue {
  package var wire: JSONValue { ["decode": decode.wire, "prefill": prefill.wire] }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "decode", "prefill")
    self.init(decode: try fields.count("decode"), prefill: try fields.count("prefill"))
  }
}
