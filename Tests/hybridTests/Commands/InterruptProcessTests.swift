import HybridCore
import HybridTesting
import Testing

@testable import hybrid

/// Ctrl-C, and readers that go away.
@Suite struct InterruptProcessTests {
  private func start(
    _ gateway: LoopbackGateway, _ arguments: [String] = [], output: HybridProcess.Output = .pipe
  ) throws -> HybridProcess {
    try HybridProcess(gateway.ask + arguments + ["Hi"], output: output)
  }

  private func stallingGateway() throws -> LoopbackGateway {
    try LoopbackGateway { _ in [.streamHead(), GatewayAnswers.delta("Hel"), .stall] }
  }

  @Test(arguments: [(SignalNumber.interrupt, 130), (.terminate, 143)] as [(SignalNumber, Int32)])
  func `a signal stops the answer and keeps what there is of it`(
    signal: SignalNumber, status: Int32
  ) async throws {
    let gateway = try stallingGateway()
    let process = try start(gateway, output: .terminal)
    await process.waitForOutput { $0 == "Hel" }
    process.send(signal.rawValue)
    let result = await process.result()
    #expect(result.output == "Hel\n")
    #expect(result.errors.contains("interrupted: the answer is not complete"))
    #expect(result.status == status)
  }

  #if LocalLlama
    @Test(arguments: [(SignalNumber.interrupt, 130), (.terminate, 143)] as [(SignalNumber, Int32)])
    func `a signal while a long prompt is counted ends the command as a signal does`(
      signal: SignalNumber, status: Int32
    ) async throws {
      // Counting this takes seconds; whether the signal comes before or in the midst of it, the
      // command must not go on to say that the prompt is too long.
      let process = try HybridProcess(
        ["ask", "--only", "local", "-"], input: .text(String(repeating: "a b ", count: 800_000)))
      process.send(signal.rawValue)
      #expect(await process.result().status == status)
    }
  #endif

  @Test func `interrupted JSON is the answer object with the text so far`() async throws {
    let gateway = try stallingGateway()
    let process = try start(gateway, ["--json"])
    for await event in gateway.events {
      if case .request = event { break }
    }
    process.send(SignalNumber.interrupt.rawValue)
    let result = await process.result()
    let answer = try JSONReader().read(result.output)
    #expect(answer["finishReason"]?.string == "cancelled")
    #expect(answer["text"]?.string != nil)
    #expect(result.status == 130)
  }

  @Test func `interrupted JSON lines end with done`() async throws {
    let gateway = try stallingGateway()
    let process = try start(gateway, ["--jsonl"])
    await process.waitForOutput { $0.contains(#""text":"Hel""#) }
    process.send(SignalNumber.interrupt.rawValue)
    let result = await process.result()
    let last = try JSONReader().read(
      String(try #require(result.output.split(separator: "\n").last)))
    #expect(last["event"]?.string == "done")
    #expect(last["finishReason"]?.string == "cancelled")
    #expect(last["text"]?.string == "Hel")
    #expect(result.status == 130)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a second signal ends a program that cannot stop`() async throws {
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), GatewayAnswers.delta(String(repeating: "x", count: 1 << 18)), .stall]
    }
    // Once one byte of more than a pipe holds has come, the program is stuck in its write.
    let process = try start(gateway, output: .stuckPipe)
    await process.waitForOutput { $0 == "x" }
    process.send(SignalNumber.interrupt.rawValue)
    // The first signal has been seen when the answer is being stopped; two at once would be one.
    for await event in gateway.events {
      if case .clientLeft = event { break }
    }
    process.send(SignalNumber.interrupt.rawValue)
    let result = await process.result()
    #expect(result.status == 130, "\(result.errors)")
  }

  @Test func `a reader that goes away stops the generation in silence`() async throws {
    // Far more than a pipe and the reader's buffer hold together.
    let pieces = (0..<5_000).map {
      GatewayAnswers.delta("piece \($0) \(String(repeating: "x", count: 90))\n")
    }
    let gateway = try LoopbackGateway { _ in
      [.streamHead(), GatewayAnswers.delta("first\n"), .waitForSignal] + pieces + [.stall]
    }
    let process = try start(gateway, ["-v"])
    await process.waitForOutput { $0.contains("first") }
    process.stopReading()
    gateway.signal()
    let result = await process.result()
    #expect(result.status == 141)
    #expect(!result.errors.contains("hybrid ask:"))
    // The stalled gateway sees the connection go, so nothing goes on in the background.
    for await event in gateway.events {
      if case .clientLeft = event { break }
    }
  }
}
