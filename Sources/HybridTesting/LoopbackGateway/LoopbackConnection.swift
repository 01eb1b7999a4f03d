#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// One accepted connection, served by one thread.
struct LoopbackConnection: Sendable {
  let number: Int
  let descriptor: Int32
  let signals: Pipe
  let stop: Pipe
  let observer: LoopbackGateway.Observer

  private enum Outcome {
    case goesOn
    /// The script closed it, the client left or the gateway stopped.
    case over
  }

  func run(
    greeting: [GatewayStep], answer: @Sendable (RecordedRequest) -> [GatewayStep]
  ) {
    guard perform(greeting) == .goesOn else { return }
    var buffer: [UInt8] = []
    while true {
      let request = observer.received {
        RecordedRequest(consuming: &buffer, number: $0, connection: number)
      }
      if let request {
        guard perform(answer(request)) == .goesOn else {
          return observer.happened(.answered(request: request.number))
        }
        observer.happened(.answered(request: request.number))
        continue
      }
      guard isOpen(POLLIN) else { return }
      guard let bytes = LoopbackSocket.read(descriptor), !bytes.isEmpty else { return leave() }
      buffer += bytes
    }
  }

  private func perform(_ steps: [GatewayStep]) -> Outcome {
    for step in steps {
      switch step {
      case .send(let bytes):
        guard send(bytes) else { return .over }
      case .waitForSignal:
        guard waitForSignal() else { return .over }
      case .stall:
        // Bytes that the client sends meanwhile are dropped: it does not wait for an answer to them.
        while isOpen(POLLIN) {
          guard let bytes = LoopbackSocket.read(descriptor), !bytes.isEmpty else {
            leave()
            return .over
          }
        }
        return .over
      case .close:
        close(descriptor)
        return .over
      case .reset:
        LoopbackSocket.reset(descriptor)
        return .over
      }
    }
    return .goesOn
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard isOpen(POLLOUT) else { return false }
      guard let count = LoopbackSocket.write(rest, to: descriptor) else {
        leave()
        return false
      }
      observer.sent(count)
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits for the test's signal, or for the client's leaving.
  private func waitForSignal() -> Bool {
    while true {
      let ready = LoopbackSocket.wait([
        (stop.reader, POLLIN), (signals.reader, POLLIN), (descriptor, POLLIN),
      ])
      if ready[0] != 0 {
        close(descriptor)
        return false
      }
      if ready[1] != 0, signals.take() { return true }
      if ready[2] != 0 {
        guard let bytes = LoopbackSocket.read(descriptor), !bytes.isEmpty else {
          leave()
          return false
        }
      }
    }
  }

  /// Waits until the connection is ready. Closes it and says false when the gateway stops.
  private func isOpen(_ events: Int32) -> Bool {
    let ready = LoopbackSocket.wait([(stop.reader, POLLIN), (descriptor, events)])
    guard ready[0] == 0 else {
      close(descriptor)
      return false
    }
    return true
  }

  private func leave() {
    close(descriptor)
    observer.happened(.clientLeft(connection: number))
  }
}
