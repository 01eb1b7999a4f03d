internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A file that holds one key.
enum KeyFile {
  /// No key is longer; a file that is was named by mistake.
  private static let limit = 16 * 1024

  /// - Throws: `noCredentials`, saying why the file yields no key.
  static func read(_ path: String) throws(HybridError) -> Secret {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw unreadable(path, errno) }
    if information.st_mode & S_IFMT == S_IFDIR { throw unreadable(path, EISDIR) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let added = unsafe bytes[count...].withUnsafeMutableBytes {
        unsafe Self.read(descriptor, $0)
      }
      guard added >= 0 else { throw unreadable(path, errno) }
      if added == 0 { break }
      count += added
    }
    guard count <= limit else {
      throw .noCredentials(
        path, "is longer than any key", nextStep: "Name the file that holds the key alone")
    }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw .noCredentials(
        path, "is not a text", nextStep: "Name the file that holds the key alone")
    }
    let key = HeaderRules.trimmed(text)
    guard !key.isEmpty else {
      throw .noCredentials(path, "is empty", nextStep: "Write the gateway's key into it")
    }
    return Secret(key)
  }

  static func isThere(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func unreadable(_ path: String, _ number: Int32) -> HybridError {
    let (what, nextStep) =
      switch number {
      case ENOENT: ("does not exist", "Create it, or name another file")
      case EACCES: ("may not be read", "Give this user the right to read it")
      case EISDIR: ("is a directory", "Name the file in it that holds the key")
      default: ("cannot be read (errno \(number))", "Name another file")
      }
    return .noCredentials(path, what, nextStep: nextStep)
  }
}
