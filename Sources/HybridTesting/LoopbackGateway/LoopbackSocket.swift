#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The few socket calls that a loopback gateway needs.
enum LoopbackSocket {
  /// A listening socket on 127.0.0.1, on a port that the system chooses.
  static func open() throws(LoopbackGateway.SystemError) -> (descriptor: Int32, port: Int) {
    #if canImport(Darwin) || canImport(Musl)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw LoopbackGateway.SystemError(call: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 512) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard bound else {
      close(descriptor)
      throw LoopbackGateway.SystemError(call: "bind")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Waits until one of the descriptors is ready for its events.
  ///
  /// - Returns: what each is ready for.
  static func wait(_ wanted: [(descriptor: Int32, events: Int32)]) -> [Int32] {
    var polls = wanted.map {
      pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0)
    }
    while unsafe poll(&polls, nfds_t(polls.count), -1) < 0, errno == EINTR {}
    return polls.map { Int32($0.revents) }
  }

  /// nil: the connection broke. Empty: the client closed it.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// How many bytes were taken; nil: the connection broke.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    #if canImport(Darwin)
      let flags = Int32(MSG_DONTWAIT)  // SO_NOSIGPIPE is set on the socket
    #else
      let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    #endif
    let count = unsafe bytes.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, flags)
    }
    if count < 0 { return errno == EAGAIN ? 0 : nil }
    return count
  }

  /// Closes so that the peer sees a reset.
  static func reset(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  /// Small pieces go out at once, and a client that has gone raises no signal.
  static func prepare(_ descriptor: Int32) {
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if canImport(Darwin)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
  }
}
