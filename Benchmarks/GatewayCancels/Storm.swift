import Foundation
import HybridCore
import HybridRemote
import HybridTesting
import Measuring

/// Where a request stands that is cancelled some milliseconds after it was begun.
enum Phase: String, CaseIterable {
  case resolving, connecting, handshake, waiting, streaming
}

struct Storm {
  private let options: Options
  private let time = SystemTimeSource()

  init(_ options: Options) {
    self.options = options
  }

  /// - Returns: true where nothing was disturbed, and nothing stayed.
  func run() async throws -> Bool {
    let resolver = options.isInside ? try Namespace.openDeadResolver() : nil
    let phases = Phase.allCases.filter { options.isInside || $0 != .resolving }
    if !options.isInside { print("no namespace can be had here: look-ups are left out") }
    // What the first request makes and keeps is no leak.
    _ = try await measure(phases, cancels: 20)
    let before = await Holdings.atRest()
    let result = try await measure(phases, cancels: options.cancels)
    let after = await Holdings.atRest()
    if let resolver { close(resolver) }

    for phase in phases {
      let times = Quantiles(result.cancels.filter { $0.phase == phase }.map(\.milliseconds))
      print(
        "\(phase.rawValue): \(times.sorted.count) cancels, back after \(number(times.median, 2)) ms, "
          + "99th percentile \(number(times[0.99], 2)) ms, worst \(number(times[1], 2)) ms")
    }
    let all = Quantiles(result.cancels.map(\.milliseconds))
    let late = Quantiles(result.delays)
    print("all: 99th percentile \(number(all[0.99], 2)) ms")
    print(
      "streams beside them: \(late.sorted.count) events of \(result.expected), each after "
        + "\(number(late.median, 2)) ms, 99th percentile \(number(late[0.99], 2)) ms, worst "
        + "\(number(late[1], 2)) ms")
    print("descriptors, threads, transfers: before \(before), after \(after)")
    return result.isSound && late.sorted.count == result.expected && after.isWithin(before)
  }

  struct Result {
    var cancels: [(phase: Phase, milliseconds: Double)] = []
    /// Milliseconds from a stream's event sent until it was read.
    var delays: [Double] = []
    var expected = 0
    /// False where a cancelled request told something else than that.
    var isSound = true
  }

  private func measure(_ phases: [Phase], cancels: Int) async throws -> Result {
    let transport = CurlTransport()
    let targets = try Targets()
    let streams = try await SteadyStreams(count: options.streams, transport: transport)
    var random = SeededGenerator(seed: options.seed)
    let plans = (0..<cancels).map { _ in
      (phases.randomElement(using: &random) ?? .waiting, Int.random(in: 0...20_000, using: &random))
    }
    let time = time
    var result = Result()
    await withTaskGroup(of: (Phase, Double, Bool).self) { group in
      var rest = plans[...]
      func next() {
        guard let (phase, delay) = rest.popFirst() else { return }
        let request = targets.request(phase)
        group.addTask {
          let task = Task { () async -> Bool in
            do throws(HybridError) {
              for try await _ in try await transport.send(request).body {}
              return false
            } catch {
              return error.code == .cancelled
            }
          }
          try? await time.sleep(until: time.now() + .microseconds(delay))
          let begun = time.now()
          task.cancel()
          let isCancelled = await task.value
          return (phase, (time.now() - begun) / .milliseconds(1), isCancelled)
        }
      }
      for _ in 0..<8 { next() }
      while let (phase, milliseconds, isCancelled) = await group.next() {
        result.cancels.append((phase, milliseconds))
        result.isSound = result.isSound && isCancelled
        next()
      }
    }
    (result.delays, result.expected) = await streams.end()
    targets.stop()
    return result
  }
}

/// Something that stalls in each phase.
private struct Targets {
  private let blackHole: BlackHole
  private let silent: LoopbackGateway
  private let waiting: LoopbackGateway
  private let streaming: LoopbackGateway

  init() throws {
    blackHole = try BlackHole()
    silent = try LoopbackGateway(greeting: [.stall]) { _ in [] }
    waiting = try LoopbackGateway { _ in [.stall] }
    streaming = try LoopbackGateway { _ in [.streamHead(), .event("1"), .event("2"), .stall] }
  }

  func request(_ phase: Phase) -> TransportRequest {
    let url =
      switch phase {
      case .resolving: "https://gateway-\(UInt32.random(in: 0 ... .max)).test/v1"
      case .connecting: "https://127.0.0.1:\(blackHole.port)/v1"
      case .handshake: "https://127.0.0.1:\(silent.port)/v1"
      case .waiting: waiting.baseURL
      case .streaming: streaming.baseURL
      }
    return TransportRequest(method: "POST", url: url, body: Array("{}".utf8))
  }

  func stop() {
    for gateway in [silent, waiting, streaming] { gateway.stop() }
  }
}
