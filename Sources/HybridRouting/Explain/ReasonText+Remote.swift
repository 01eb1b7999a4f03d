import HybridCore

extension ReasonText {
  static let remoteRows: [ReasonText] = [
    ReasonText(
      .noGateway,
      meaning: "no gateway is configured",
      handling: "the request runs locally if it can; a key alone makes no gateway",
      nextStep: "give a gateway's URL (--gateway, HYBRID_GATEWAY or the gateway parameter)",
      remedy: { _, _ in "a gateway were configured" }),
    ReasonText(
      .noCredentials,
      meaning: "the gateway needs a key and the configured source yields none",
      handling: "the gateway is not asked; the request runs locally if it can",
      nextStep: "put the key where the configured source looks for it",
      sentence: { details in
        "the gateway's key source (\(Figures.text(details["source"]))) yields no key"
      },
      remedy: { details, _ in "the key source (\(Figures.text(details["source"]))) yielded a key" }),
    ReasonText(
      .rateLimited,
      meaning: "the gateway asked to be left alone for a while, or its quota is spent",
      handling:
        "the gateway is left alone until the moment it named; until then the request runs "
        + "locally if it can",
      nextStep: "try again when the time is up",
      sentence: { details in
        let cause = details["code"]?.string.map { " (\($0))" } ?? ""
        return "the gateway is to be left alone for another "
          + "\(Figures.seconds(details["retryAfter"]))\(cause)"
      },
      remedy: { details, _ in "\(Figures.seconds(details["retryAfter"])) had passed" }),
    ReasonText(
      .remoteOffline,
      meaning: "the gateway or the network is away",
      handling: "the gateway is not asked; the request runs locally if it can",
      nextStep: "check the network",
      sentence: { details in
        "the gateway has been offline for \(Figures.seconds(details["since"]))"
      },
      remedy: { _, _ in "the gateway could be reached again" }),
    ReasonText(
      .breakerOpen,
      meaning: "the gateway failed too often of late",
      handling:
        "the gateway is left alone until the breaker's time is up, then one request probes it; "
        + "until then the request runs locally if it can",
      nextStep: "try again when the time is up, or see why the gateway fails",
      sentence: { details in
        "the gateway failed too often of late and is tried again in "
          + Figures.seconds(details["retryAfter"])
      },
      remedy: { details, _ in "\(Figures.seconds(details["retryAfter"])) had passed" }),
  ]

  static let runTimeRows: [ReasonText] = [
    ReasonText(
      .localFailed,
      meaning: "the local side took the request and failed before its first output",
      handling: "the gateway took over where the plan had it as the fallback",
      nextStep: "see the attempts for what failed",
      sentence: { details in "the local side failed (\(Figures.text(details["code"])))" },
      remedy: { _, _ in "the local side had not failed" }),
    ReasonText(
      .remoteFailed,
      meaning: "the gateway took the request and failed before its first output",
      handling: "the local side took over where the plan had it as the fallback",
      nextStep: "see the attempts for what failed",
      sentence: { details in "the gateway failed (\(Figures.text(details["code"])))" },
      remedy: { _, _ in "the gateway had not failed" }),
    ReasonText(
      .localRefused,
      meaning: "the local model refused the content",
      handling: "the gateway takes over only with fallbackOnRefusal",
      nextStep: "change the request, or set fallbackOnRefusal",
      remedy: { _, _ in "the local model had not refused" }),
    ReasonText(
      .remoteRefused,
      meaning: "the gateway refused the content",
      handling: "the local side takes over only with fallbackOnRefusal",
      nextStep: "change the request, or set fallbackOnRefusal",
      remedy: { _, _ in "the gateway had not refused" }),
  ]
}
