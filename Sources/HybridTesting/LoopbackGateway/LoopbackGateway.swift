internal import HybridCore
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A server on 127.0.0.1 that does exactly what its script says, byte for byte.
///
/// It counts connections, records requests, and can stop in the middle of anything: tests see what a
/// client makes of a stalled, cut or hostile gateway. Each connection has a thread of its own.
///
///     let gateway = try LoopbackGateway { _ in [.response(200, #"{"choices": []}"#)] }
///     // … let a client talk to gateway.baseURL …
///     #expect(gateway.requests.count == 1)
public final class LoopbackGateway: Sendable {
  /// Something that happened, as it happened.
  public enum Event: Sendable, Hashable {
    case accepted(connection: Int)
    case request(RecordedRequest)
    /// The client closed or broke the connection while the script had not closed it.
    case clientLeft(connection: Int)
    /// The script has done everything for a request.
    case answered(request: Int)
  }

  /// A system call failed.
  public struct SystemError: Error, Sendable, CustomStringConvertible {
    public let call: String
    public let number: Int32

    init(call: String) {
      self.call = call
      number = errno
    }

    public var description: String { "\(call) failed with errno \(number)" }
  }

  public let port: Int

  /// `http://127.0.0.1:PORT/v1`.
  public var baseURL: String { "http://127.0.0.1:\(port)/v1" }

  /// What happens, in order, for one consumer.
  public let events: AsyncStream<Event>

  private struct Record {
    var connections = 0
    var requests: [RecordedRequest] = []
    var sentBytes = 0
    var isStopped = false
  }

  private let record = Mutex(Record())
  private let continuation: AsyncStream<Event>.Continuation
  private let descriptors: Descriptors

  /// What the threads share; the last of them closes it.
  fileprivate final class Descriptors: Sendable {
    let listener: Int32
    let signals: Pipe
    let stop: Pipe

    init(listener: Int32) throws(SystemError) {
      self.listener = listener
      signals = try Pipe()
      stop = try Pipe()
    }

    deinit {
      close(listener)
    }
  }

  /// - Parameters:
  ///   - greeting: done on every new connection before anything is read.
  ///   - answer: what to do for a request; the connection then waits for the next one. Called by the
  ///     connection's thread.
  public init(
    greeting: [GatewayStep] = [],
    answer: @escaping @Sendable (RecordedRequest) -> [GatewayStep]
  ) throws(SystemError) {
    let (listener, port) = try LoopbackSocket.open()
    self.port = port
    descriptors = try Descriptors(listener: listener)
    (events, continuation) = AsyncStream.makeStream()
    let observer = Observer(gateway: self)
    let descriptors = descriptors
    do throws(HybridError) {
      try OwnThread.start(for: .remote) { Self.serve(descriptors, observer, greeting, answer) }
    } catch {
      throw SystemError(call: "pthread_create")
    }
  }

  deinit {
    stop()
  }

  /// Ends every connection and the listening socket; further connections are refused.
  public func stop() {
    let isFirst = record.withLock { record in
      defer { record.isStopped = true }
      return !record.isStopped
    }
    if isFirst {
      descriptors.stop.put()
      shutdown(descriptors.listener, Int32(SHUT_RDWR))
    }
    continuation.finish()
  }

  /// Lets one ``GatewayStep/waitForSignal`` go on, now or when it comes.
  public func signal() {
    descriptors.signals.put()
  }

  /// Every request so far.
  public var requests: [RecordedRequest] { record.withLock { $0.requests } }

  /// How many connections were accepted.
  public var connections: Int { record.withLock { $0.connections } }

  /// How many bytes the clients' sockets have taken.
  public var sentBytes: Int { record.withLock { $0.sentBytes } }

  /// What a connection's thread tells the gateway, if it still exists.
  struct Observer: Sendable {
    weak let gateway: LoopbackGateway?
  }

  private static func serve(
    _ descriptors: Descriptors, _ observer: Observer, _ greeting: [GatewayStep],
    _ answer: @escaping @Sendable (RecordedRequest) -> [GatewayStep]
  ) {
    while true {
      let ready = LoopbackSocket.wait([
        (descriptors.stop.reader, Int32(POLLIN)), (descriptors.listener, Int32(POLLIN)),
      ])
      if ready[0] != 0 { return }
      let descriptor = accept(descriptors.listener, nil, nil)
      guard descriptor >= 0, let number = observer.accepted() else { continue }
      LoopbackSocket.prepare(descriptor)
      let connection = LoopbackConnection(
        number: number, descriptor: descriptor, signals: descriptors.signals,
        stop: descriptors.stop, observer: observer)
      do {
        try OwnThread.start(for: .remote) {
          withExtendedLifetime(descriptors) { connection.run(greeting: greeting, answer: answer) }
        }
      } catch {
        LoopbackSocket.reset(descriptor)
      }
    }
  }
}

extension LoopbackGateway.Observer {
  fileprivate func accepted() -> Int? {
    gateway?.note { record in
      record.connections += 1
      return (record.connections, .accepted(connection: record.connections))
    }
  }

  func received(_ read: (_ number: Int) -> RecordedRequest?) -> RecordedRequest? {
    gateway?.note { record in
      guard let request = read(record.requests.count + 1) else { return (nil, nil) }
      record.requests.append(request)
      return (request, .request(request))
    }
  }

  func sent(_ count: Int) {
    gateway?.note { record in
      record.sentBytes += count
      return ((), nil)
    }
  }

  func happened(_ event: LoopbackGateway.Event) {
    gateway?.note { _ in ((), event) }
  }
}

extension LoopbackGateway {
  private func note<Result: Sendable>(
    _ change: (inout Record) -> (Result, Event?)
  ) -> Result {
    // The event goes out under the lock, so that events keep the order of what they tell.
    record.withLock { record in
      let (result, event) = change(&record)
      if let event { continuation.yield(event) }
      return result
    }
  }
}
