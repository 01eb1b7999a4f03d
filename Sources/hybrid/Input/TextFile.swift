internal import HybridCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A text file named on the command line.
enum TextFile {
  /// - Parameters:
  ///   - path: `-` is stdin.
  ///   - kind: what errors call it: "the messages file".
  /// - Throws: `invalidFile` for one that cannot be read, `invalidText` for one that is not UTF-8.
  static func read(_ path: String, kind: String) throws(HybridError) -> String {
    if path == "-" { return try TextInput.standard.readAll() }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let failure = SystemFailure(number: errno)
      throw HybridError(
        .invalidFile, "cannot open \(kind) \(path.quoted): \(failure)",
        nextStep: "check the path and its permissions",
        details: ["file": .string(path), "cause": .string("\(failure)")])
    }
    defer { close(descriptor) }
    return try TextInput(name: "\(kind) \(path.quoted)", descriptor: descriptor).readAll()
  }
}
