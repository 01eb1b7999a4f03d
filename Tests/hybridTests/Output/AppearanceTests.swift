import Testing

@testable import hybrid

@Suite struct AppearanceTests {
  @Test(
    arguments: [
      (ColorMode.auto, [:], true, true), (.auto, [:], false, false),
      (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["NO_COLOR": ""], true, true),
      (.auto, ["TERM": "dumb"], true, false), (.auto, ["FORCE_COLOR": "1"], false, true),
      (.auto, ["FORCE_COLOR": "0"], false, false), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
      (.auto, ["NO_COLOR": "1", "FORCE_COLOR": "1"], true, false),
      (.always, ["NO_COLOR": "1"], false, true), (.never, ["FORCE_COLOR": "1"], true, false),
    ] as [(ColorMode, [String: String], Bool, Bool)])
  func `colour follows the option, then the environment, then the terminal`(
    mode: ColorMode, environment: [String: String], isTerminal: Bool, isColored: Bool
  ) {
    let appearance = Appearance(
      mode: mode, environment: Environment(environment), outputIsTerminal: true,
      errorIsTerminal: isTerminal)
    #expect(appearance.isColored == isColored)
  }
}
