import Foundation

/// Busy neighbours: child processes that spin, each on one CPU.
///
/// They are this very program, started with ``argument``: its `main` looks for that first.
public final class Neighbours {
  public static let argument = "--spin"
  private var processes: [Process] = []

  public init() {}

  /// Starts or ends processes until there are as many.
  public func set(_ count: Int) throws {
    while processes.count > count {
      let process = processes.removeLast()
      // A child of a thread that blocks SIGTERM blocks it too.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    while processes.count < count {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe")
      process.arguments = [Self.argument]
      try process.run()
      processes.append(process)
    }
  }

  deinit {
    for process in processes { kill(process.processIdentifier, SIGKILL) }
  }

  /// The child's whole life, where this is one; it ends with its parent.
  public static func spinIfChild() {
    guard CommandLine.arguments.dropFirst().first == argument else { return }
    let parent = getppid()
    var rounds: UInt64 = 0
    while true {
      rounds &+= 1
      if rounds & 0xFF_FFFF == 0, getppid() != parent { exit(0) }
    }
  }
}
