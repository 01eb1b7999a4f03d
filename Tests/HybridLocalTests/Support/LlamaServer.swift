import Foundation
import HybridCore
import HybridRemote

/// A real llama-server on a loopback port, for what the engine's numbers are held against.
final class LlamaServer {
  private let process = Process()
  private let transport = CurlTransport()
  private let address: String

  /// Returns once the server answers.
  init(model: String, context: Int) async throws {
    process.executableURL = URL(filePath: try TestAssets.path("testing/bin/llama-server"))
    process.arguments = ["--model", model, "--port", "0", "--context", "\(context)"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let address = await Self.address(in: output.fileHandleForReading)
    guard let address else { throw TestAssets.Missing(path: "llama-server's address") }
    self.address = address
  }

  /// What stands after `listening on ` in the first lines; nil when the output ends before.
  private static func address(in output: FileHandle) async -> String? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var text = ""
        while !text.hasSuffix("\n") || !text.contains("listening on ") {
          let data = output.availableData
          if data.isEmpty { break }
          text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("listening on ") }
        continuation.resume(returning: line.map { String($0.dropFirst(13)) })
      }
    }
  }

  deinit {
    process.terminate()
  }

  /// The server's count of the prompt's tokens.
  func promptTokens(of messages: [ChatMessage]) async throws -> Int? {
    let body: JSONValue = [
      "max_tokens": 1,
      "messages": .array(
        messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }),
    ]
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: address + "/v1/chat/completions",
        headers: ["content-type": "application/json"], body: JSONWriter.compact.bytes(body)))
    var bytes: [UInt8] = []
    for try await more in response.body { bytes += more }
    return try JSONReader.wire.read(bytes)["usage"]?["prompt_tokens"]?.int
  }
}
