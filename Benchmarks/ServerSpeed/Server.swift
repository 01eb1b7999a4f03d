#if LocalLlama
  import Dispatch
  import Foundation
  import HybridCore
  import HybridRemote
  import Measuring

  /// A llama-server on a free port of the loopback interface. Ends with this object.
  final class Server {
    let client: GatewayClient
    private let address: String
    private let transport = CurlTransport()
    private let process = Process()
    private let interruptions: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - threads: nil: as many as the server takes by itself.
    ///   - further: arguments.
    init(
      _ options: Options, slots: Int, context: Int, threads: Int?, further: [String] = []
    ) throws {
      process.executableURL = URL(filePath: options.server)
      process.arguments =
        [
          "--model", options.model, "--host", "127.0.0.1", "--port", "0", "--parallel", "\(slots)",
          "--ctx-size", "\(context)", "--no-webui",
        ] + further
      if let threads {
        process.arguments? += ["--threads", "\(threads)", "--threads-batch", "\(threads)"]
      }
      // A benchmark that is stopped takes its server with it.
      interruptions = [SIGINT, SIGTERM].map { [process] number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler {
          kill(process.processIdentifier, SIGKILL)
          exit(128 + number)
        }
        source.resume()
        return source
      }
      let output = Pipe()
      process.standardError = output
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      var text = ""
      var address: Substring?
      while address == nil {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else {
          throw UsageError("llama-server did not start: \(text.suffix(400))")
        }
        text += String(decoding: data, as: UTF8.self)
        address =
          text.split(separator: "\n").first { $0.contains("listening on ") && text.last == "\n" }?
          .split(separator: " ").last
      }
      // What it says from now on is read, or it would wait for a reader.
      output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
      self.address = "\(address ?? "")/v1"
      client = try GatewayClient(baseURL: self.address)
    }

    /// The answer's bytes, which are read to their end.
    func post(_ path: String, _ body: JSONValue) async throws -> [UInt8] {
      let response = try await transport.send(
        TransportRequest(
          method: "POST", url: address + path, headers: ["content-type": "application/json"],
          body: JSONWriter.compact.bytes(body)))
      var bytes: [UInt8] = []
      for try await more in response.body { bytes += more }
      return bytes
    }

    deinit {
      // A child of a thread that blocks SIGTERM blocks it too.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
#endif
