import HybridCore
import HybridRemote
import HybridTesting
import Synchronization

/// A transport that is one closure, called with the number of the request, from 1. Keeps what was sent.
final class ClosureTransport: Transport {
  private let answer:
    @Sendable (_ number: Int, TransportRequest) async throws(HybridError) -> TransportResponse
  private let sent = Mutex<[TransportRequest]>([])

  init(
    _ answer:
      @escaping @Sendable (_ number: Int, TransportRequest) async throws(HybridError) ->
      TransportResponse
  ) {
    self.answer = answer
  }

  var requests: [TransportRequest] { sent.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(HybridError) -> TransportResponse {
    let number = sent.withLock { sent in
      sent.append(request)
      return sent.count
    }
    return try await answer(number, request)
  }
}

extension TransportResponse {
  /// A response whose body comes in these pieces, and then ends or fails.
  static func scripted(
    _ status: Int = 200, type: String? = "text/event-stream", headers: HTTPHeaders = [:],
    pieces: [[UInt8]], failure: HybridError? = nil
  ) -> TransportResponse {
    var headers = headers
    headers["Content-Type"] = type
    let rest = Mutex(pieces.filter { !$0.isEmpty }[...])
    return TransportResponse(
      status: status, headers: headers,
      body: ResponseBody(
        next: { () async throws(HybridError) in
          if let piece = rest.withLock({ $0.popFirst() }) { return piece }
          if let failure { throw failure }
          return nil
        }, cancel: {}))
  }

  static func scripted(
    _ status: Int, type: String? = "text/event-stream", headers: HTTPHeaders = [:], _ text: String
  ) -> TransportResponse {
    scripted(status, type: type, headers: headers, pieces: [Array(text.utf8)])
  }

  static func scripted(
    _ text: String, headers: HTTPHeaders = [:], failure: HybridError? = nil
  ) -> TransportResponse {
    scripted(headers: headers, pieces: [Array(text.utf8)], failure: failure)
  }

  static func json(
    _ status: Int, headers: HTTPHeaders = [:], _ text: String
  ) -> TransportResponse {
    scripted(status, type: "application/json", headers: headers, text)
  }

  static func json(_ text: String) -> TransportResponse {
    json(200, text)
  }
}

extension GatewayClient {
  /// A client of a gateway that exists only as a transport, on a clock that stands still unless a test
  /// moves it: no limit passes because the machine is busy.
  static func scripted(
    _ transport: any Transport, baseURL: String = "https://gateway.test/v1", model: String? = "m",
    credentials: Credentials = .none, time: any TimeSource = ManualClock(),
    change: (inout GatewayOptions) -> Void = { _ in }
  ) throws -> GatewayClient {
    var options = GatewayOptions()
    options.transport = transport
    options.time = time
    options.random = { 1 << 63 }
    change(&options)
    return try GatewayClient(
      baseURL: baseURL, model: model, credentials: credentials, options: options)
  }
}

/// What a run handed out, and how it ended.
struct Collected: Hashable {
  var text = ""
  var reasoning = ""
  var calls: [ToolCall] = []
  var logProbs: [TokenLogProb] = []
  /// Of further choices, in the order in which they came.
  var others: [Other] = []
  var completion: Completion?
  var error: ErrorCode?

  struct Other: Hashable {
    var choice: Int
    var piece: OutputPiece
  }

  func text(ofChoice choice: Int) -> String {
    others.lazy.filter { $0.choice == choice }.map { other in
      if case .text(let text) = other.piece { text } else { "" }
    }.joined()
  }

  /// Runs `request` to its end.
  static func run(
    _ client: GatewayClient, _ request: ChatRequest = ChatRequest(prompt: "Say it."),
    in context: ExecutionContext = ExecutionContext()
  ) async -> (collected: Collected, failure: HybridError?) {
    var collected = Collected()
    do throws(HybridError) {
      for try await event in try await client.start(request, in: context) {
        switch event {
        case .text(let text): collected.text += text
        case .logProbs(let tokens): collected.logProbs += tokens
        case .reasoning(let text): collected.reasoning += text
        case .toolCall(let call): collected.calls.append(call)
        case .choice(let choice, let piece):
          collected.others.append(.init(choice: choice, piece: piece))
        case .finished(let completion): collected.completion = completion
        }
      }
      return (collected, nil)
    } catch {
      collected.error = error.code
      return (collected, error)
    }
  }
}

/// A piece of a streamed completion, as JSON.
func piece(
  _ delta: String = "{}", finish: String? = nil, choice: Int = 0, more: String = ""
) -> String {
  let reason = finish.map { "\"\($0)\"" } ?? "null"
  return #"{"id":"c1","model":"served","choices":[{"index":\#(choice),"delta":\#(delta),"#
    + #""finish_reason":\#(reason)}]\#(more)}"#
}

func text(_ text: String) -> String { piece(#"{"content":"\#(text)"}"#) }

/// An event stream of these data lines.
func stream(_ data: String...) -> String { data.map { "data: \($0)\n\n" }.joined() }
