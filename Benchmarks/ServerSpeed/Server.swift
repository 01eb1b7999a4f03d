#if LocalLlama
  import Dispatch
  import Foundation
  import HybridRemote
  import Measuring

  /// A llama-server on a free port of the loopback interface. Ends with this object.
  final class Server {
    let client: GatewayClient
    private let process = Process()
    private let interruptions: [any DispatchSourceSignal]

    /// - Parameter threads: nil: as many as the server takes by itself.
    init(_ options: Options, slots: Int, context: Int, threads: Int?) throws {
      process.executableURL = URL(filePath: options.server)
      process.arguments = [
        "--model", options.model, "--host", "127.0.0.1", "--port", "0", "--parallel", "\(slots)",
        "--ctx-size", "\(context)", "--no-webui",
      ]
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
      client = try GatewayClient(baseURL: "\(address ?? "")/v1")
    }

    deinit {
      // A child of a thread that blocks SIGTERM blocks it too.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
#endif
