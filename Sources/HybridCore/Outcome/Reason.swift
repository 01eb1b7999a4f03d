/// Why a request did not simply run on the side it preferred.
public struct Reason: Sendable, Hashable {
  public var code: ReasonCode

  /// One sentence for people. Holds no prompt and no answer.
  public var message: String

  /// The numbers looked at. A reason that wraps another has the inner code under `code`.
  public var details: JSONObject

  public init(code: ReasonCode, message: String, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.details = details
  }
}

/// The name of a check that moved or stopped a request, or of what happened when it ran.
public struct ReasonCode: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  // The checks, in the order in which they are asked.
  public static let preference = ReasonCode(rawValue: "preference")
  public static let privacy = ReasonCode(rawValue: "privacy")
  public static let killSwitch = ReasonCode(rawValue: "killSwitch")
  public static let noLocalModel = ReasonCode(rawValue: "noLocalModel")
  public static let modelNotStandIn = ReasonCode(rawValue: "modelNotStandIn")
  public static let modelLoading = ReasonCode(rawValue: "modelLoading")
  public static let modelFailed = ReasonCode(rawValue: "modelFailed")
  public static let unsupportedFeature = ReasonCode(rawValue: "unsupportedFeature")
  public static let unknownTool = ReasonCode(rawValue: "unknownTool")
  public static let templateRejected = ReasonCode(rawValue: "templateRejected")
  public static let contextTooLong = ReasonCode(rawValue: "contextTooLong")
  public static let insufficientMemory = ReasonCode(rawValue: "insufficientMemory")
  public static let localBusy = ReasonCode(rawValue: "localBusy")
  public static let noGateway = ReasonCode(rawValue: "noGateway")
  public static let noCredentials = ReasonCode(rawValue: "noCredentials")
  public static let rateLimited = ReasonCode(rawValue: "rateLimited")
  public static let remoteOffline = ReasonCode(rawValue: "remoteOffline")
  public static let breakerOpen = ReasonCode(rawValue: "breakerOpen")

  // Found only when run. `details.code` says what the failure was.
  public static let localFailed = ReasonCode(rawValue: "localFailed")
  public static let remoteFailed = ReasonCode(rawValue: "remoteFailed")
  public static let localRefused = ReasonCode(rawValue: "localRefused")
  public static let remoteRefused = ReasonCode(rawValue: "remoteRefused")
}
