import HybridCore
import HybridKit
import HybridLocal
import HybridRouting
import Testing

@testable import hybrid

@Suite struct TuningNoteTests {
  private let measured = AutoTuneResult(
    threads: ThreadCounts(decode: 2, prefill: 4), origin: .measured)
  private let failed = AutoTuneResult(warning: "/c/threads.json cannot be\nwritten")

  @Test func `what tuning came to is for who wants to know all`() {
    #expect(TuningNote.text(measured, wasAsked: true, .normal) == nil)
    #expect(
      TuningNote.text(measured, wasAsked: false, .verbose)
        == "threads: 2 decode, 4 prefill, measured just now")
    var remembered = measured
    remembered.origin = .remembered
    #expect(
      TuningNote.text(remembered, wasAsked: true, .verbose)
        == "threads: 2 decode, 4 prefill, measured before")
    #expect(TuningNote.text(AutoTuneResult(), wasAsked: true, .verbose) == nil)
  }

  @Test func `what went wrong is told to who asked for it`() {
    let text = "threads: /c/threads.json cannot be␊written"
    #expect(TuningNote.text(failed, wasAsked: true, .normal) == text)
    #expect(TuningNote.text(failed, wasAsked: false, .verbose) == text)
    #expect(TuningNote.text(failed, wasAsked: false, .normal) == nil)
    #expect(TuningNote.text(failed, wasAsked: true, .quiet) == nil)
  }

  @Test func `where the time went is told with what the machine took`() {
    func line(_ timings: Timings, threads: ThreadCounts? = nil) -> String? {
      TimingLine.of(
        Answer(
          text: "", ranOn: .local, reason: nil,
          completion: Completion(finishReason: .stop, timings: timings, threads: threads),
          attempts: [], plan: RoutingPolicy().plan(for: RoutingFacts(local: .ready()))))
    }
    #expect(line(Timings(firstToken: .seconds(1), total: .seconds(2))) == nil)
    #expect(
      line(
        Timings(
          queue: .zero, prefill: .milliseconds(120), decode: .seconds(1),
          throttled: .milliseconds(40), cpuPressure: 0.254),
        threads: ThreadCounts(decode: 2, prefill: 4))
        == "times: queue 0 ms · prefill 120 ms · decode 1.0 s · threads 2 / 4 · throttled 40 ms · "
        + "CPU pressure 25 %")
  }
}
