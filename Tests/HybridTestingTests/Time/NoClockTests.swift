import HybridKit
import HybridTesting
import Testing

struct NoClockTests {
  @Test func `a script that waits on no clock fails at once and says what to pass`() async throws {
    let script = Script(opening: [.wait(.seconds(1))])
    let chat = HybridChat(local: ScriptedExecutor.local(script))
    let error = await #expect(throws: HybridError.self) {
      try await chat.complete(ChatRequest(prompt: "2 + 2?"))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.nextStep?.contains("ManualClock") == true)
  }
}
