import Foundation
import HybridCore
import HybridRemote

/// What this process holds of the system.
struct Holdings: Hashable, CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  var transfers: Int

  var description: String { "\(descriptors), \(threads), \(transfers)" }

  static func now() -> Holdings {
    func count(_ path: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }
    return Holdings(
      descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"),
      transfers: CurlTransport.liveTransfers)
  }

  /// True where nothing is more than in `other`.
  func isWithin(_ other: Holdings) -> Bool {
    descriptors <= other.descriptors && threads <= other.threads && transfers <= other.transfers
  }

  /// What is held once nothing changes any more: a thread that looks a name up ends when its
  /// resolver's time is over.
  static func atRest() async -> Holdings {
    let time = SystemTimeSource()
    var held = now()
    var since = time.now()
    while time.now() - since < .seconds(3) {
      try? await time.sleep(until: time.now() + .milliseconds(50))
      let current = now()
      if current != held { (held, since) = (current, time.now()) }
    }
    return held
  }
}
