private import CHybridCurl
internal import HybridCore
private import Synchronization

/// The thread that owns libcurl's multi handle and everything in it.
///
/// Others hand it commands and wake it; they touch nothing of libcurl's but the wake-up.
final class CurlLoop: Sendable {
  private enum Command: Sendable {
    case start(UInt64, TransportRequest, HTTPURL, EventChannel<CurlTransfer.Part>, Moment)
    case resume(UInt64)
    case cancel(UInt64)
    case finish(UInt64)
  }

  private struct State {
    var commands: [Command] = []
    var nextID: UInt64 = 0
    /// True from the first request on, while a thread runs or is being made.
    var hasThread = false
    var isStopping = false
    /// Set while the thread runs; guarded, so that no wake-up can meet a freed handle.
    var wake: (@Sendable () -> Void)?

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }

    mutating func takeCommands() -> [Command] {
      defer { commands = [] }
      return commands
    }

    /// The thread ends, or there never was one.
    ///
    /// - Returns: what it will not do.
    mutating func endOfThread() -> [Command] {
      hasThread = false
      wake = nil
      return takeCommands()
    }
  }

  /// Makes the thread that runs a loop.
  typealias ThreadStarter =
    @Sendable (_ body: @escaping @Sendable () -> Void) throws(HybridError) -> Void

  private let state = Mutex(State())
  let options: CurlTransport.Options
  private let startThread: ThreadStarter
  private let time = SystemTimeSource()

  init(
    options: CurlTransport.Options,
    startThread: @escaping ThreadStarter = { body throws(HybridError) in
      try OwnThread.start(for: .remote, body)
    }
  ) {
    self.options = options
    self.startThread = startThread
  }

  /// Starts an exchange. The channel gets the head, the bytes and the end.
  func start(_ request: TransportRequest, url: HTTPURL) throws(HybridError)
    -> (
      channel: EventChannel<CurlTransfer.Part>, cancel: @Sendable () -> Void,
      finish: @Sendable () -> Void
    )
  {
    let id = state.withLock { $0.makeID() }
    let cancel: @Sendable () -> Void = { [self] in give(.cancel(id)) }
    // 64 pieces of at most 16 KiB wait for the consumer.
    let channel = EventChannel<CurlTransfer.Part>(
      capacity: 64, onResume: { [self] in give(.resume(id)) }, onCancel: cancel)
    // Under one lock: a thread that is about to end either sees the command or is known to be gone.
    let begun = time.now()
    let needsThread = try state.withLock { state throws(HybridError) in
      if state.isStopping { throw .cancelledByTask }
      state.commands.append(.start(id, request, url, channel, begun))
      state.wake?()
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if needsThread {
      do throws(HybridError) {
        try startThread { [self] in run() }
      } catch {
        // Nothing may stay behind: a later thread would send what its caller was told had failed.
        refuse(state.withLock { $0.endOfThread() }, error)
        throw error
      }
    }
    return (channel, cancel, { [self] in give(.finish(id)) })
  }

  /// Ends every exchange and the thread.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.wake?()
    }
  }

  private func give(_ command: Command) {
    state.withLock { state in
      // Without a thread there is no exchange that it could be meant for.
      guard state.hasThread else { return }
      state.commands.append(command)
      state.wake?()
    }
  }

  /// Tells the consumers of exchanges that were asked for and never began.
  private func refuse(_ commands: [Command], _ error: HybridError) {
    for case .start(_, _, _, let channel, _) in commands { channel.finish(throwing: error) }
  }

  // The thread.

  private func run() {
    guard CurlTransport.isPrepared, let multi = unsafe hybrid_curl_multi_create() else {
      let error = HybridError(
        .internal, "libcurl could not start",
        nextStep: "Look for a shortage of memory or descriptors", side: .remote)
      return refuse(state.withLock { $0.endOfThread() }, error)
    }
    // Others use it for the wake-up alone, which libcurl allows from any thread.
    nonisolated(unsafe) let shared = unsafe multi
    state.withLock { $0.wake = { unsafe hybrid_curl_multi_wakeup(shared) } }
    var transfers: [UInt64: CurlTransfer] = [:]
    while true {
      // Those that came with the stop are left for the end.
      let commands = state.withLock { $0.isStopping ? nil : $0.takeCommands() }
      guard let commands else { break }
      for command in commands { unsafe obey(command, multi, &transfers) }
      // Taken before the sockets are read: on a busy machine this thread may stand still for long, and
      // what had arrived by then is no silence.
      let now = time.now()
      unsafe hybrid_curl_multi_perform(multi)
      unsafe reap(multi, &transfers)
      unsafe expire(multi, &transfers, at: now)
      unsafe hybrid_curl_multi_wait(multi, wait(for: transfers.values))
    }
    for transfer in transfers.values {
      unsafe end(transfer, multi, &transfers, throwing: .cancelledByTask)
    }
    refuse(state.withLock { $0.endOfThread() }, .cancelledByTask)
    unsafe hybrid_curl_multi_free(multi)
  }

  private func obey(
    _ command: Command, _ multi: OpaquePointer, _ transfers: inout [UInt64: CurlTransfer]
  ) {
    switch command {
    case .start(let id, let request, let url, let channel, let start):
      do throws(HybridError) {
        let transfer = try CurlTransfer(
          id: id, request: request, url: url, options: options, channel: channel, start: start,
          now: { [time] in time.now() })
        transfers[id] = transfer
        if let handle = unsafe transfer.handle, unsafe !hybrid_curl_multi_add(multi, handle) {
          transfers[id] = nil
          throw HybridError(
            .internal, "libcurl could not take another request",
            nextStep: "Look for a shortage of memory or descriptors", side: .remote)
        }
      } catch {
        channel.finish(throwing: error)
      }
    case .resume(let id):
      transfers[id]?.resume()
    case .finish(let id):
      transfers[id]?.drain()
    case .cancel(let id):
      guard let transfer = transfers[id] else { return }
      unsafe end(transfer, multi, &transfers, throwing: .cancelledByTask)
    }
  }

  /// Tells the consumers of what has ended.
  private func reap(_ multi: OpaquePointer, _ transfers: inout [UInt64: CurlTransfer]) {
    var outcome = HYBRID_CURL_OK
    var number: Int32 = 0
    while let context = unsafe hybrid_curl_multi_next_ended(multi, &outcome, &number) {
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      transfer.ended(as: outcome, number: number)
      unsafe end(transfer, multi, &transfers)
    }
  }

  /// Ends what had passed a limit at `now`.
  private func expire(
    _ multi: OpaquePointer, _ transfers: inout [UInt64: CurlTransfer], at now: Moment
  ) {
    for transfer in transfers.values {
      guard let limit = transfer.clock.next, limit.moment <= now else { continue }
      unsafe end(
        transfer, multi, &transfers,
        throwing: CurlFailure.timeout(limit, url: transfer.url, phase: transfer.phase))
    }
  }

  private func end(
    _ transfer: CurlTransfer, _ multi: OpaquePointer, _ transfers: inout [UInt64: CurlTransfer],
    throwing error: HybridError? = nil
  ) {
    if let error { transfer.failed(error) }
    if let handle = unsafe transfer.handle { unsafe hybrid_curl_multi_remove(multi, handle) }
    transfers[transfer.id] = nil
  }

  /// Milliseconds until the next limit, rounded up; libcurl's own timers shorten it.
  private func wait(for transfers: some Collection<CurlTransfer>) -> Int32 {
    let moments = transfers.compactMap(\.clock.next?.moment)
    guard let next = moments.min() else { return 60_000 }
    let milliseconds = ((next - time.now()) / .milliseconds(1)).rounded(.up)
    return Int32(min(max(milliseconds, 0), 60_000))
  }
}
