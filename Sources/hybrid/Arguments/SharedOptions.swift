/// The options that `ask` and `plan` share.
extension Option {
  // Where to run.
  static let prefer = Option(
    "prefer", value: "SIDE", "local or remote: ask it first, the other one is the fallback")
  static let only = Option("only", value: "SIDE", "local or remote: that side or nothing")
  static let tag = Option(
    "tag", value: "NAME", isRepeatable: true,
    "what the content is: it stays on this machine unless the policy allows the tag out")
  static let policy = Option(
    "policy", value: "FILE", "a routing policy as JSON; options override it")
  static let model = Option("model", value: "NAME", "the model to ask for")
  static let standIn = Option(
    "stand-in", value: "NAME", isRepeatable: true,
    "a model that the local one may answer for, in place of the policy's list")

  // The local side.
  static let localModel = Option(
    "local-model", value: "PATH|NAME", "the local model file (HYBRID_LOCAL_MODEL)")
  static let noLocal = Option("no-local", "use no local model")
  static let threads = Option(
    "threads", value: "N", "CPU threads, instead of what was detected (HYBRID_THREADS)")
  static let autoTune = Option(
    "auto-tune", "measure the best thread counts once, and remember them for this machine")
  static let tuned = Option(
    "tuned", "load the copy that hybrid models tune has kept, where there is one")
  static let context = Option("context", value: "N", "context length in tokens")
  static let beyondTrained = Option(
    "beyond-trained", "let --context exceed what the model was trained on")
  static let parallel = Option(
    "parallel", value: "N", "requests at once that the model's memory is planned for")

  static let deterministic = Option(
    "deterministic", "an answer depends on its own request alone, at some cost in speed")
  static let lookup = Option(
    "lookup", "guess ahead from the prompt: faster where a greedy answer quotes it")
  static let isolated = Option(
    "isolated", "run the model in a process of its own, which a bad file may crash")

  // The gateway.
  static let gateway = Option(
    "gateway", value: "URL", "an OpenAI-compatible server, with its /v1 (HYBRID_GATEWAY)")
  static let gatewayModel = Option(
    "gateway-model", value: "NAME", "the model to ask it for (HYBRID_GATEWAY_MODEL)")
  static let keyFile = Option(
    "key-file", value: "PATH", "the file that holds its key (HYBRID_KEY_FILE)")
  static let allowHTTP = Option(
    "allow-http", "send to it without TLS even where it is not on this machine")

  // The request.
  static let system = Option("system", short: "s", value: "TEXT", "the system message")
  static let messages = Option(
    "messages", value: "FILE",
    "a conversation as JSON, - for stdin; PROMPT becomes its last user turn")
  static let maxTokens = Option(
    "max-tokens", short: "n", value: "N", "the most tokens to generate")
  static let temperature = Option(
    "temperature", value: "X", "0 takes the likeliest token each time, up to 2")
  static let topP = Option("top-p", value: "X", "over 0, up to 1")
  static let topK = Option("top-k", value: "N", "0 keeps all")
  static let minP = Option("min-p", value: "X", "0 to 1")
  static let seed = Option("seed", value: "N", "makes the draw repeatable")
  static let repeatPenalty = Option(
    "repeat-penalty", value: "X", "against tokens among the last; 1 is off, 0.1 to 10")
  static let repeatLast = Option(
    "repeat-last", value: "N", "how many tokens --repeat-penalty looks back at")
  static let presencePenalty = Option(
    "presence-penalty", value: "X", "against tokens that the answer has, -2 to 2")
  static let frequencyPenalty = Option(
    "frequency-penalty", value: "X", "the same for each time that it has them, -2 to 2")
  static let logitBias = Option(
    "logit-bias", value: "TOKEN=X", isRepeatable: true,
    "add X, -100 to 100, to a token's logit; needs --model, whose tokens they are")
  static let logProbs = Option(
    "logprobs", value: "N", "log-probabilities, with N alternatives to each token, up to 20")
  static let choices = Option(
    "choices", value: "N", "answers to the same prompt, each drawn for itself, up to 128")
  static let stop = Option(
    "stop", value: "TEXT", isRepeatable: true, "end the answer before this text")
  static let deadline = Option(
    "deadline", value: "SECONDS", "the most time over queueing, attempts, waits and fallback")

  // The output.
  static let json = Option("json", "print one JSON object")
  static let jsonLines = Option("jsonl", "print one JSON event a line")
  static let noStream = Option("no-stream", "print the answer when it is complete")
  static let quiet = Option("quiet", short: "q", "print nothing but the answer and errors")
  static let verbose = Option(
    "verbose", short: "v", "say on stderr what happens, where it ran and why")
  static let color = Option("color", value: "WHEN", "auto, always or never")
}

extension OptionGroup {
  static let routing = OptionGroup(
    title: "Where to run", options: [.prefer, .only, .tag, .policy, .model, .standIn])
  static let local = OptionGroup(
    title: "The local side",
    options: [
      .localModel, .noLocal, .threads, .autoTune, .tuned, .context, .beyondTrained, .parallel,
      .deterministic, .lookup,
    ])
  /// Of what answers, or could.
  static let answering = OptionGroup(title: local.title, options: local.options + [.isolated])
  static let gateway = OptionGroup(
    title: "The gateway", options: [.gateway, .gatewayModel, .keyFile, .allowHTTP])
  static let request = OptionGroup(
    title: "The request",
    options: [
      .system, .messages, .maxTokens, .temperature, .topP, .topK, .minP, .seed, .repeatPenalty,
      .repeatLast, .presencePenalty, .frequencyPenalty, .logitBias, .logProbs, .choices, .stop,
      .deadline,
    ])
  static let output = OptionGroup(
    title: "Output", options: [.json, .jsonLines, .noStream, .quiet, .verbose, .color])
}
