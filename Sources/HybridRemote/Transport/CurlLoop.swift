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
    var hasThread = false
    var isStopping = false
    /// Set while the thread runs; guarded, so that no wake-up can meet a freed handle.
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let options: CurlTransport.Options
  private let time = SystemTimeSource()

  init(options: CurlTransport.Options) {
    self.options = options
  }

  /// Starts an exchange. The channel gets the head, the bytes and the end.
  func start(_ request: TransportRequest, url: HTTPURL) throws(HybridError)
    -> (
      channel: EventChannel<CurlTransfer.Part>, cancel: @Sendable () -> Void,
      finish: @Sendable () -> Void
    )
  {
    let (id, needsThread) = state.withLock { state in
      state.nextID += 1
      defer { state.hasThread = true }
      return (state.nextID, !state.hasThread)
    }
    let cancel: @Sendable () -> Void = { [self] in give(.cancel(id)) }
    // 64 pieces of at most 16 KiB wait for the consumer.
    let channel = EventChannel<CurlTransfer.Part>(
      capacity: 64, onResume: { [self] in give(.resume(id)) }, onCancel: cancel)
    give(.start(id, request, url, channel, time.now()))
    if needsThread {
      do throws(HybridError) {
        try OwnThread.start(for: .remote) { [self] in run() }
      } catch {
        state.withLock { $0.hasThread = false }
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
      state.commands.append(command)
      state.wake?()
    }
  }

  // The thread.

  private func run() {
    guard CurlTransport.isPrepared, let multi = unsafe hybrid_curl_multi_create() else {
      return refuseAll()
    }
    // Others use it for the wake-up alone, which libcurl allows from any thread.
    nonisolated(unsafe) let shared = unsafe multi
    state.withLock { $0.wake = { unsafe hybrid_curl_multi_wakeup(shared) } }
    var transfers: [UInt64: CurlTransfer] = [:]
    while true {
      let (commands, isStopping) = state.withLock { state in
        defer { state.commands = [] }
        return (state.commands, state.isStopping)
      }
      if isStopping { break }
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
    state.withLock { $0.wake = nil }
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
    while let context = unsafe hybrid_curl_multi_next_ended(multi, &outcome) {
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      transfer.ended(as: outcome)
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
        transfer, multi, &transfers, throwing: CurlFailure.timeout(limit, url: transfer.url))
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

  private func refuseAll() {
    let commands = state.withLock { state in
      state.hasThread = false
      defer { state.commands = [] }
      return state.commands
    }
    for case .start(_, _, _, let channel, _) in commands {
      channel.finish(
        throwing: HybridError(
          .internal, "libcurl could not start",
          nextStep: "Look for a shortage of memory or descriptors", side: .remote))
    }
  }
}
