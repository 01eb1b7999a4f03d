import Foundation
import HybridCore
import HybridRemote

/// A real llama-server on a loopback port, for what the engine's numbers are held against.
final class LlamaServer {
  private let process = Process()
  private let transport = CurlTransport()
  private let address: String

  /// Returns once the server answers.
  convenience init(model: String, context: Int) async throws {
    try await self.init(
      TestAssets.path("testing/bin/llama-server"),
      ["--model", model, "--port", "0", "--context", "\(context)"])
  }

  /// A server of embeddings. Returns once it answers.
  ///
  /// - Parameter pooling: `model` takes the model's own.
  convenience init(embedding model: String, context: Int, pooling: String) async throws {
    let script = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/embeddings/llama_server.py").path()
    try await self.init(
      TestAssets.path("testing/bin/python3"), [script, model, "\(context)", pooling])
  }

  private init(_ program: String, _ arguments: [String]) async throws {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
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
    let answer = try await post(
      "/v1/chat/completions",
      [
        "max_tokens": 1,
        "messages": .array(
          messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }),
      ])
    return answer["usage"]?["prompt_tokens"]?.int
  }

  /// The server's vectors of texts, and its count of all their tokens.
  func embeddings(of texts: [String]) async throws -> (vectors: [[Float]], promptTokens: Int?) {
    let answer = try await post(
      "/v1/embeddings", ["input": .array(texts.map { .string($0) }), "encoding_format": "float"])
    let vectors = (answer["data"]?.array ?? []).map { item in
      (item["embedding"]?.array ?? []).map { Float($0.double ?? .nan) }
    }
    return (vectors, answer["usage"]?["prompt_tokens"]?.int)
  }

  private func post(_ path: String, _ body: JSONValue) async throws -> JSONValue {
    let response = try await transport.send(
      TransportRequest(
        method: "POST", url: address + path, headers: ["content-type": "application/json"],
        body: JSONWriter.compact.bytes(body)))
    var bytes: [UInt8] = []
    for try await more in response.body { bytes += more }
    return try JSONReader.wire.read(bytes)
  }
}
