internal import HybridCore

/// What stands in a request's body and must not come back in an error: every text of it, wherever it
/// is, but the model's name and the protocol's own words.
///
/// Taken from the body as it is sent, so that no field of a request can be forgotten.
enum RequestTexts {
  /// - Returns: the texts in no particular order, long ones and short ones alike; numbers of 8 digits
  ///   and more are texts too. Of the names of fields only those of 8 and more characters.
  static func of(_ body: JSONValue) -> [String] {
    var texts: [String] = []
    guard case .object(let object) = body else { return texts }
    for member in object.members where member.key != "model" {
      collect(.object([member.key: member.value]), &texts)
    }
    return texts
  }

  /// The names that a request's fields and values have by the protocol, and JSON Schema's: they are no
  /// secret, and a refusal that may not name them says nothing.
  static func isProtocolWord(_ text: String) -> Bool {
    protocolWords.contains(text)
  }

  private static func collect(_ value: JSONValue, _ texts: inout [String]) {
    switch value {
    case .null, .bool:
      break
    case .number(let number):
      if number.literal.utf8.count >= 8 { texts.append(number.literal) }
    case .string(let text):
      if !isProtocolWord(text) { texts.append(text) }
    case .array(let values):
      for value in values { collect(value, &texts) }
    case .object(let object):
      for member in object.members {
        if member.key.utf8.count >= 8, !isProtocolWord(member.key) { texts.append(member.key) }
        collect(member.value, &texts)
      }
    }
  }

  private static let protocolWords: Set<String> = [
    // Fields of a request.
    "audio", "function", "functions", "frequency_penalty", "function_call", "logit_bias",
    "logprobs", "max_completion_tokens", "max_tokens", "messages", "metadata", "min_p",
    "modalities", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
    "reasoning_effort", "repeat_last_n", "repeat_penalty", "repetition_penalty", "response_format",
    "safety_identifier", "seed", "service_tier", "stop",
    "store", "stream", "stream_options", "include_usage", "temperature", "tool_choice", "tools",
    "top_k", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
    // Of a message and of a tool.
    "arguments", "assistant", "auto", "content", "description", "detail", "developer", "high",
    "image_url", "input_audio", "json_object", "json_schema", "low", "medium", "name", "none",
    "parameters", "reasoning_content", "refusal", "required", "role", "schema", "strict", "system",
    "text", "tool", "tool_call_id", "tool_calls", "type",
    // Of JSON Schema.
    "$defs", "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "array",
    "boolean", "const", "default", "definitions", "dependentRequired", "dependentSchemas", "enum",
    "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "integer", "items",
    "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems",
    "minLength", "minProperties", "minimum", "multipleOf", "null", "number", "object", "oneOf",
    "pattern", "patternProperties", "prefixItems", "properties", "propertyNames", "string",
    "title", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
  ]
}
