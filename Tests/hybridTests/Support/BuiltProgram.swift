#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the program under test stands, and what it needs to start.
enum BuiltProgram {
  /// Beside the test bundle.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let bytes = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    let bundle = String(decoding: bytes, as: UTF8.self)
    let folder = bundle.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/hybrid"
  }()

  /// The loader's own variables, where they are set here, and none that the program reads.
  static let environment: [String: String] = {
    var environment: [String: String] = [:]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }()
}

/// The repository's `Fixtures`.
func fixture(_ path: String, file: String = #filePath) -> String {
  let root = file.split(separator: "/").dropLast(4).joined(separator: "/")
  return "/\(root)/Fixtures/\(path)"
}

func textOfFile(_ path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return String(validating: bytes, as: UTF8.self) }
    bytes += buffer.prefix(count)
  }
}
