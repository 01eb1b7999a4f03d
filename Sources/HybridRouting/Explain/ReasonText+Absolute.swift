import HybridCore

extension ReasonText {
  static let absoluteRows: [ReasonText] = [
    ReasonText(
      .preference,
      meaning: "the preference rules the side out",
      handling:
        "the side is never used, on retries and fallbacks neither; no later check can undo it",
      nextStep: "change the policy's preference, or ask for one that the policy admits",
      sentence: { details in
        if let request = details["request"]?.string {
          "the request asks for \(request), which the policy's "
            + "\(Figures.text(details["policy"])) does not admit"
        } else {
          "the preference is \(Figures.text(details["preference"]))"
        }
      },
      remedy: { details, side in
        func preference(_ name: String) -> Preference? {
          details[name]?.string.flatMap(Preference.init(rawValue:))
        }
        if let policy = preference("policy") {
          return policy.side == side
            ? "the request's preference were \(policy.rawValue) or unset"
            : "the policy's preference were not \(policy.rawValue)"
        }
        guard let preference = preference("preference") else {
          return "the preference were another"
        }
        let wanted = Preference.preferring(side)
        return "the preference were \(wanted.rawValue) instead of \(preference.rawValue)"
      }),
    ReasonText(
      .privacy,
      meaning: "the request's content must not leave the machine",
      handling:
        "the gateway never sees the request, on retries and fallbacks neither; "
        + "no later check can undo it",
      nextStep: "run it locally, or allow its tags in the policy's tagsAllowedRemote",
      sentence: { details in
        "the request is tagged \(tags(details)), which the policy keeps on this machine"
      },
      remedy: { details, _ in "the policy's tagsAllowedRemote held \(tags(details))" }),
    ReasonText(
      .killSwitch,
      meaning: "the side was turned off at run time",
      handling: "the side is not used until it is turned on again",
      nextStep: "turn the side on again",
      remedy: { _, _ in "it were turned on again" }),
  ]

  private static func tags(_ details: JSONObject) -> String {
    (details["tags"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
  }
}
