import HybridCore

extension ReasonText {
  static let localRows: [ReasonText] = [
    ReasonText(
      .noLocalModel,
      meaning: "no local model is configured, or its file is missing",
      handling: "the request goes to the gateway if it may",
      nextStep: "give a model file that exists, or run Fixtures/bootstrap for the default one",
      sentence: { details in
        if let path = details["path"]?.string {
          "the local model's file is missing: \(path)"
        } else {
          "no local model is configured"
        }
      },
      remedy: { details, _ in
        details["path"] == nil ? "a local model were configured" : "the model's file were there"
      }),
    ReasonText(
      .modelNotStandIn,
      meaning: "the request names a model that the local one may not stand in for",
      handling: "the request goes to the gateway, which is sent the name",
      nextStep: "name the local model or none, or add the name to the policy's localStandIns",
      sentence: { details in
        "the request names the model \(Figures.text(details["name"])), "
          + (details["feature"] == nil
            ? "which the local model may not stand in for" : "whose tokens its logit bias counts")
      },
      remedy: { details, _ in
        if details["feature"] != nil {
          return "the request named the local model, and biased its tokens"
        }
        return "the request named the local model or none, or localStandIns held "
          + Figures.text(details["name"])
      }),
    ReasonText(
      .modelLoading,
      meaning: "the local model is being loaded and that takes longer than the request may wait",
      handling: "the request goes to the gateway if it may; the load goes on",
      nextStep: "try again when the model is loaded, or raise the policy's maxLocalWait",
      sentence: { details in
        "the local model is still loading, for \(Figures.seconds(details["remaining"])) more"
      },
      remedy: { _, _ in "the model were loaded" }),
    ReasonText(
      .modelFailed,
      meaning: "the local model could not be loaded",
      handling:
        "the request goes to the gateway if it may; the load backs off and is tried again, "
        + "except for a file that cannot be right",
      nextStep: "run hybrid doctor to see what is wrong with the model",
      sentence: { details in
        if details["code"]?.string == ErrorCode.engineLost.rawValue {
          let message = details["problem"]?["message"]?.string ?? "the local engine has ended"
          return details["retryAfter"]?.double == nil
            ? message
            : "\(message); it is started anew from \(Figures.seconds(details["retryAfter"])) on"
        }
        let next =
          details["retryAfter"]?.double == nil
          ? "it is not tried again"
          : "it is tried again in \(Figures.seconds(details["retryAfter"]))"
        return "the local model could not be loaded (\(Figures.text(details["code"]))); \(next)"
      },
      remedy: { details, _ in
        details["retryAfter"]?.double == nil
          ? "the model could be loaded"
          : "\(Figures.seconds(details["retryAfter"])) had passed and the model could be loaded"
      }),
    ReasonText(
      .unsupportedFeature,
      meaning: "the request needs something that the side cannot do",
      handling: "the request goes to the other side if it may; nothing is left out silently",
      nextStep: "leave the feature out, or allow the other side",
      sentence: { details in
        if let asked = details["asked"]?.int, let most = details["most"]?.int {
          return "the local side cannot do \(asked) choices: its queue takes \(most)"
        }
        let side = details["origin"]?.string ?? "the local side"
        return "\(side) cannot do \(Figures.text(details["name"]))"
      },
      remedy: { details, _ in
        if let most = details["most"]?.int { return "the request asked for \(most) or fewer" }
        return "the request did without \(Figures.text(details["name"]))"
      }),
    ReasonText(
      .unknownTool,
      meaning: "a tool of the request cannot run locally",
      handling: "the request goes to the gateway if it may: all tools must be known, or none stays",
      nextStep: "register the tool, or allow the gateway",
      sentence: { details in
        "the tool \(Figures.text(details["name"])) cannot run locally"
      },
      remedy: { details, _ in "the tool \(Figures.text(details["name"])) were known here" }),
    ReasonText(
      .templateRejected,
      meaning: "the local model's chat template cannot express the conversation",
      handling: "the request goes to the gateway if it may; the conversation is not rewritten",
      nextStep: "give the messages in an order and with roles that the model's template allows",
      sentence: { details in
        "the local model's chat template cannot express the conversation"
          + (details["message"]?.string.map { ": \($0)" } ?? "")
      },
      remedy: { _, _ in "the conversation had a form that the model's template allows" }),
    ReasonText(
      .contextTooLong,
      meaning:
        "the prompt and the tokens kept for the answer exceed what one request gets of the "
        + "model's context",
      handling: "the request goes to the gateway if it may; nothing is cut off",
      nextStep: "shorten the prompt, ask for fewer tokens, or raise the context",
      sentence: { details in
        "the prompt of \(Figures.tokens(details["prompt"])) and the "
          + "\(Figures.tokens(details["reserved"])) kept for the answer exceed the local context "
          + "of \(Figures.tokens(details["context"]))"
      },
      remedy: { details, _ in
        guard let prompt = details["prompt"]?.int, let reserved = details["reserved"]?.int,
          let context = details["context"]?.int,
          case (let needed, let overflow) =
            prompt.addingReportingOverflow(reserved), !overflow
        else { return "fewer tokens were kept for the answer" }
        let shorter =
          needed - context < prompt
          ? "the prompt were \(Figures.tokens(.int(needed - context))) shorter"
          : "fewer tokens were kept for the answer"
        return "\(shorter) or the context at least \(Figures.tokens(.int(needed)))"
      }),
    ReasonText(
      .insufficientMemory,
      meaning: "loading the local model needs more memory than there is",
      handling: "the model is not loaded; the request goes to the gateway if it may",
      nextStep: "free memory, raise the limit, use a smaller model or a shorter context",
      sentence: { details in
        "loading the local model needs \(Figures.bytes(details["needed"]?.int)) of memory, and "
          + "\(Figures.bytes(details["available"]?.int)) is available"
      },
      remedy: { details, _ in
        let lacking = details["needed"]?.int.flatMap { needed in
          details["available"]?.int.map { needed - $0 }
        }
        return "\(Figures.bytes(lacking)) more memory were available"
      }),
    ReasonText(
      .localBusy,
      meaning: "the local queue is full, or its expected wait is longer than the request may wait",
      handling: "the request goes to the gateway if it may",
      nextStep: "try again later, or raise the policy's maxLocalWait",
      sentence: { details in
        "the local queue \(full(details)), or its expected wait of "
          + "\(Figures.seconds(details["expectedWait"])) is longer than the request may wait"
      },
      remedy: { _, _ in "the local queue were shorter" }),
  ]

  private static func full(_ details: JSONObject) -> String {
    details["choices"]?.int.map { "has no room for \($0) choices" } ?? "is full"
  }
}
