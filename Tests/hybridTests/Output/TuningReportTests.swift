import HybridCore
import HybridLocal
import Testing

@testable import hybrid

@Suite struct TuningReportTests {
  private static let tuning = ModelTuning(
    original: FormatMeasurement(
      format: "Q4_1", size: 98_362_432, memory: 96_600_000, prefill: 340, decode: 150),
    copies: [
      .init(
        format: "Q8_0",
        measurement: FormatMeasurement(
          format: "Q8_0", size: 144_811_072, memory: 143_000_000, prefill: 742, decode: 162,
          quality: CopyQuality(
            divergence: 0.005, perplexityRatio: 0.9998, ratioError: 0.0017, tokens: 900)),
        verdict: .kept),
      .init(
        format: "Q4_0",
        measurement: FormatMeasurement(
          format: "Q4_0", size: 91_700_000, memory: 90_000_000, prefill: 879, decode: 241,
          quality: CopyQuality(
            divergence: 0.28, perplexityRatio: 1.25, ratioError: 0.02, tokens: 900)),
        verdict: .divergence(limit: 0.01)),
      .init(format: "IQ4_NL", measurement: nil, verdict: .failed("llama.cpp could not")),
    ],
    limits: .lossless, leastGain: 1.05, isNew: false, keptPath: "/c/hybridkit/models/0.Q8_0.gguf",
    warning: "other work took 0.5 CPUs while the files were timed")

  @Test func `the table has a row a format, with what became of it`() {
    #expect(
      TuningReport.text(Self.tuning, path: "/m/Small.Q4_1.gguf") == """
        Small.Q4_1

        format  size      memory    prefill  decode  KL      perplexity       gain
        Q4_1    98.4 MB   96.6 MB   340      150     –       –                –     the file itself
        Q8_0    144.8 MB  143.0 MB  742      162     0.0050  0.9998 ± 0.0017  1.59  kept
        Q4_0    91.7 MB   90.0 MB   879      241     0.2800  1.2500 ± 0.0200  2.12  refused: KL over 0.01
        IQ4_NL  –         –         –        –       –       –                –     failed: llama.cpp could not

        Prefill and decode are tokens a second; gain is how many times as fast 256 tokens in and 64 out are.
        Other work took 0.5 CPUs while the files were timed.
        Measured before; --force measures anew.
        Kept: /c/hybridkit/models/0.Q8_0.gguf, which ask --tuned loads.

        """)
  }

  @Test func `the same stands in the JSON`() {
    let json = TuningReport.json(Self.tuning, path: "/m/Small.Q4_1.gguf")
    let copies = json["copies"]?.array ?? []
    #expect(copies.map { $0["kept"]?.bool } == [true, false, false])
    #expect(copies.map { $0["admitted"]?.bool } == [true, false, false])
    #expect(copies[1]["measurement"]?["quality"]?["divergence"]?.double == 0.28)
    #expect(copies[2]["measurement"] == .null)
    #expect(json["keptPath"] == "/c/hybridkit/models/0.Q8_0.gguf")
    #expect(json["new"] == false)
    #expect(json["limits"]?["gain"]?.double == 1.05)
  }

  @Test(
    arguments: [
      (.used(format: "Q8_0", path: "/c/x"), .normal, nil),
      (.used(format: "Q8_0", path: "/c/x"), .verbose, "model: its tuned copy in Q8_0, /c/x"),
      (.absent(reason: "it was not tuned"), .normal, "model: the file itself, it was not tuned"),
      (.absent(reason: "it was not tuned"), .quiet, nil),
    ] as [(TunedCopyChoice, OutputOptions.Verbosity, String?)])
  func `why no copy is used is told to who asked for one`(
    choice: TunedCopyChoice, verbosity: OutputOptions.Verbosity, text: String?
  ) {
    #expect(TuningNote.text(choice, verbosity) == text)
  }
}

/// What is wrong on the command line of `models`. Needs no model.
@Suite struct ModelsUsageTests {
  @Test(
    arguments: [
      (["models", "tnue"], "unknown action"), (["models", "--force"], "--force is for tuning"),
      (["models", "tune", "--format", "Q5_1"], "one of Q8_0, Q4_0, IQ4_NL"),
      (["models", "tune", "--max-divergence", "-1"], "from 0 up to 100"),
      (["models", "tune", "--max-perplexity", "nan"], "from 0 up to 100"),
      (["models", "tune", "--min-gain", "101"], "from 0 up to 100"),
      (["models", "tune", "--threads", "0"], "from 1 to 512"),
      (["models", "tune", "a.gguf", "b.gguf"], "unexpected 'b.gguf'"),
    ] as [([String], String)])
  func `a wrong option ends with usage`(arguments: [String], message: String) async throws {
    let result = try await HybridProcess.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `a model that is not there is not tuned`() async throws {
    let result = try await HybridProcess.run(["models", "tune", "/nowhere/at/all.gguf"])
    #expect(result.status == 69)
    #expect(result.output.isEmpty)
  }
}
