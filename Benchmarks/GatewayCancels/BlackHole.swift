import Foundation
import Measuring

/// A listening socket whose queue is full: the system drops whatever wants to connect.
final class BlackHole {
  let port: Int
  private var descriptors: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptors.append(listener)
    var bound = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = unsafe Loopback.withAddress(port: 0) { address, length in
      unsafe bind(listener, address, length) == 0 && listen(listener, 0) == 0
    }
    let isNamed = unsafe withUnsafeMutablePointer(to: &bound) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen, isNamed else { throw UsageError("no listening socket can be had") }
    port = Int(UInt16(bigEndian: bound.sin_port))
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      descriptors.append(client)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = unsafe Loopback.withAddress(port: UInt16(port)) { address, length in
        unsafe connect(client, address, length)
      }
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
