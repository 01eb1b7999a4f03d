internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Whether this process may open as many files as a command needs. Below that the runtime itself ends
/// the process in places, and every other error names only what could not be opened.
enum DescriptorRoom {
  /// Beside the standard streams: timers, two streams to a worker and a handle of it, a gateway's
  /// connection, a model's file, folders.
  static let needed = 12

  /// - Parameter needed: descriptors.
  /// - Returns: nil where there are so many.
  static func problem(needed: Int = needed) -> HybridError? {
    var numbers: [Int32] = []
    while numbers.count < needed {
      let number = fcntl(0, F_DUPFD_CLOEXEC, 3)
      if number < 0 { break }
      numbers.append(number)
    }
    for number in numbers { close(number) }
    guard numbers.count < needed else { return nil }
    return HybridError(
      .internal,
      "this process may open \(numbers.count) files more, and hybrid needs \(needed) descriptors",
      nextStep: "Raise the limit on open files (`ulimit -n`)",
      details: ["free": .int(numbers.count), "needed": .int(needed)])
  }
}
