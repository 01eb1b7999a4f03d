import Foundation
import HybridCore
import HybridRemote

/// A real llama-server on a free port of the loopback interface. Ends with this object.
final class LlamaServer: Sendable {
  let baseURL: String
  private let process: Process

  struct NotUp: Error {
    let output: String
  }

  /// - Parameters:
  ///   - context: tokens of each slot.
  ///   - parallel: slots.
  init(context: Int, parallel: Int = 1) throws {
    let process = Process()
    process.executableURL = URL(filePath: try TestAssets.installed("testing/bin/llama-server"))
    // One thread: others may be at work on this machine, and threads that wait for each other crawl.
    process.arguments = [
      "--model", try TestAssets.model(), "--port", "0", "--context", String(context), "--threads",
      "1", "--parallel", String(parallel),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    var text = ""
    while !text.contains("\n") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw NotUp(output: text) }
      text += String(decoding: bytes, as: UTF8.self)
    }
    guard let url = text.split(whereSeparator: \.isWhitespace).last(where: { $0.hasPrefix("http") })
    else { throw NotUp(output: text) }
    baseURL = "\(url)/v1"
  }

  deinit {
    kill()
  }

  /// Ends it at once, connections and all.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A client that waits as long as a busy machine may need.
  func client(_ change: (inout GatewayOptions) -> Void = { _ in }) throws -> GatewayClient {
    var options = GatewayOptions()
    options.limits = TimeLimits(firstByte: .seconds(240), idle: .seconds(240))
    change(&options)
    return try GatewayClient(baseURL: baseURL, options: options)
  }

  /// Whether the one slot works, as the server itself says.
  func isProcessing() async throws -> Bool {
    let url = baseURL.dropLast("/v1".count) + "/slots"
    let response = try await CurlTransport().send(TransportRequest(method: "GET", url: String(url)))
    var bytes: [UInt8] = []
    for try await piece in response.body { bytes += piece }
    return try JSONReader.wire.read(bytes).array?.first?["is_processing"]?.bool == true
  }
}
