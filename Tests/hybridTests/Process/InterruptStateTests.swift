import Synchronization
import Testing

@testable import hybrid

@Suite struct InterruptStateTests {
  private func isExit(_ action: InterruptState.Action, _ code: ExitCode) -> Bool {
    if case .exit(let found) = action { found == code } else { false }
  }

  @Test func `before anything can be stopped the first signal ends the process`() {
    var state = InterruptState()
    #expect(isExit(state.note(.interrupt), .interrupted))
    #expect(isExit(state.note(.terminate), .terminated))
  }

  @Test func `the first signal stops and the second ends the process`() {
    var state = InterruptState()
    #expect(state.arm {} == false)
    guard case .stop = state.note(.interrupt) else {
      Issue.record("the first signal did not stop the command")
      return
    }
    #expect(state.received == .interrupt)
    #expect(isExit(state.note(.interrupt), .interrupted))
    #expect(isExit(state.note(.terminate), .terminated))
  }

  @Test func `a signal that comes while the command starts is kept for it`() {
    var state = InterruptState()
    state.hold()
    guard case .wait = state.note(.terminate) else {
      Issue.record("the signal was not kept")
      return
    }
    #expect(state.arm {} == true)
    #expect(state.received == .terminate)
  }
}
