#if os(Linux)
  import Foundation
  import Glibc

  /// A disk of one MiB in memory, mounted by a process in name spaces of its own and reached through
  /// `/proc`. Gone with the last reference.
  final class SmallDisk: Sendable {
    /// Its root, an empty folder at first.
    let path: String
    private let process: Process
    private let input: Pipe

    /// - Returns: nil where this machine does not let a user mount anything.
    init?() {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      // A word in any case: what else is started at the same time may keep the pipe open.
      process.arguments = [
        "-c",
        """
        unshare -Urm true && exec unshare -Urm sh -c \
          'mount -t tmpfs -o size=1m none /mnt && echo ready && read line || echo no'
        echo no
        """,
      ]
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return nil }
      guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else { return nil }
      (self.process, self.input) = (process, input)
      path = "/proc/\(process.processIdentifier)/root/mnt"
    }

    deinit {
      process.terminate()
    }

    static let isPossible = SmallDisk() != nil

    /// Writes to a file until there is no room left.
    func fill() {
      let descriptor = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      defer { close(descriptor) }
      let page = [UInt8](repeating: 0x3A, count: 4_096)
      while unsafe write(descriptor, page, page.count) > 0 {}
    }

    /// The names of everything that tuning left.
    func names() -> [String] {
      let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return found.filter { $0.contains(".") }.sorted()
    }
  }
#endif
