package import HybridCore

extension ChatRequest: WireValue {
  package var wire: JSONValue {
    [
      "messages": messages.wire,
      "model": model.wire,
      "sampling": sampling.wire,
      "maxTokens": maxTokens.wire,
      "stop": stop.wire,
      "topLogProbs": topLogProbs.wire,
      "choices": choices.wire,
      "tools": tools.wire,
      "extraFields": extraFields.wire,
      "tags": tags.sorted().wire,
      "preference": preference.wire,
      "deadline": deadline.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "messages", "model", "sampling", "maxTokens", "stop", "topLogProbs", "choices",
      "tools", "extraFields", "tags", "preference", "deadline")
    let tags: [SensitivityTag] = try fields["tags"]
    self.init(
      messages: try fields["messages"], model: try fields["model"],
      sampling: try fields["sampling"], maxTokens: try fields["maxTokens"],
      stop: try fields["stop"], topLogProbs: try fields["topLogProbs"],
      choices: try fields["choices"], tools: try fields["tools"],
      extraFields: try fields["extraFields"], tags: Set(tags),
      preference: try fields["preference"], deadline: try fields["deadline"])
  }
}

extension ChatMessage: WireValue {
  package var wire: JSONValue {
    [
      "role": role.wire,
      "content": content.wire,
      "name": name.wire,
      "toolCalls": toolCalls.wire,
      "toolCallID": toolCallID.wire,
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "role", "content", "name", "toolCalls", "toolCallID")
    self.init(
      role: try fields["role"], content: try fields["content"], name: try fields["name"],
      toolCalls: try fields["toolCalls"], toolCallID: try fields["toolCallID"])
  }
}

extension ContentPart: WireValue {
  package var wire: JSONValue {
    switch self {
    case .text(let text): WireCase.wire("text", text)
    case .image(let url): WireCase.wire("image", url)
    }
  }

  package init(wire: JSONValue) throws(WireError) {
    let one = try WireCase(wire)
    switch one.name {
    case "text": self = .text(try one.read())
    case "image": self = .image(url: try one.read())
    default: throw one.unknown
    }
  }
}

extension Sampling: WireValue {
  package var wire: JSONValue {
    [
      "temperature": temperature.wire,
      "topP": topP.wire,
      "topK": topK.wire,
      "minP": minP.wire,
      "seed": seed.map { Int($0) }.wire,
      "repetitionPenalty": repetitionPenalty.wire,
      "penaltyWindow": penaltyWindow.wire,
      "presencePenalty": presencePenalty.wire,
      "frequencyPenalty": frequencyPenalty.wire,
      "logitBias": .array(
        logitBias.sorted { $0.key < $1.key }.map { [$0.key.wire, $0.value.wire] }),
    ]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(
      wire, "temperature", "topP", "topK", "minP", "seed", "repetitionPenalty", "penaltyWindow",
      "presencePenalty", "frequencyPenalty", "logitBias")
    var seed: UInt32?
    if let number = try fields["seed"] as Int? {
      guard let fitting = UInt32(exactly: number) else { throw WireError("seed: out of range") }
      seed = fitting
    }
    var biases: [Int: Double] = [:]
    for pair in try fields["logitBias"] as [[JSONValue]] {
      guard pair.count == 2 else { throw WireError("logitBias: no pair") }
      biases[try Int(wire: pair[0])] = try Double(wire: pair[1])
    }
    self.init(
      temperature: try fields["temperature"], topP: try fields["topP"], topK: try fields["topK"],
      minP: try fields["minP"], seed: seed, repetitionPenalty: try fields["repetitionPenalty"],
      penaltyWindow: try fields["penaltyWindow"], presencePenalty: try fields["presencePenalty"],
      frequencyPenalty: try fields["frequencyPenalty"], logitBias: biases)
  }
}

extension ToolDefinition: WireValue {
  package var wire: JSONValue {
    // A schema that is null is another than none.
    let schema: [JSONValue]? = parameters.map { [$0] }
    return ["name": name.wire, "description": description.wire, "parameters": schema.wire]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "name", "description", "parameters")
    let parameters: [JSONValue]? = try fields["parameters"]
    guard parameters?.count ?? 1 == 1 else { throw WireError("parameters: no schema") }
    self.init(
      name: try fields["name"], description: try fields["description"],
      parameters: parameters?.first)
  }
}

extension ToolCall: WireValue {
  package var wire: JSONValue {
    ["id": id.wire, "name": name.wire, "arguments": arguments.wire]
  }

  package init(wire: JSONValue) throws(WireError) {
    let fields = try WireFields(wire, "id", "name", "arguments")
    self.init(id: try fields["id"], name: try fields["name"], arguments: try fields["arguments"])
  }
}
