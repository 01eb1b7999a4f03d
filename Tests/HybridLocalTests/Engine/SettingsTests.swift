import HybridCore
import HybridLocal
import Testing

struct SettingsTests {
  // Sampling.

  @Test func `temperature 0 is greedy whatever else is set`() {
    let settings = SamplerSettings(Sampling(temperature: 0, topP: 0.5, topK: 3), seed: 9)
    #expect(settings == .greedy)
  }

  @Test func `what is unset has llama.cpp's defaults`() {
    let random = SamplerSettings.Random(
      temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05, seed: 9)
    #expect(SamplerSettings(Sampling(), seed: 9) == .random(random))
    #expect(
      SamplerSettings(Sampling(temperature: 1, topK: 5, seed: 4), seed: 9)
        == .random(.init(temperature: 1, topK: 5, topP: 0.95, minP: 0.05, seed: 4)))
  }

  // Failed loads.

  @Test func `a failed load is tried again ever later, a bad file never`() {
    var backoff = LoadBackoff()
    let waits = (1...8).map { _ in backoff.failed(.modelLoadFailed, at: .origin)?.sinceOrigin }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(backoff.failed(.modelFileInvalid, at: .origin) == nil)
    backoff.succeeded()
    #expect(backoff.failed(.modelLoadFailed, at: .origin)?.sinceOrigin == .seconds(1))
  }

  @Test func `timings add up, and a wait for the load is not a wait in the queue`() {
    func at(_ seconds: Double) -> Moment { .origin + .seconds(seconds) }
    var clock = RunClock(received: at(1), loaded: at(3), started: at(4))
    clock.sampled(at: at(6))
    clock.handedOut(at: at(6.5))
    clock.sampled(at: at(9))
    #expect(
      clock.timings(at: at(10))
        == Timings(
          queue: .seconds(1), load: .seconds(2), prefill: .seconds(2), decode: .seconds(3),
          firstToken: .seconds(5.5), total: .seconds(9)))
    clock.loaded = at(0)
    #expect(clock.timings(at: at(10)).load == nil)
    #expect(clock.timings(at: at(10)).queue == .seconds(3))
  }
}
