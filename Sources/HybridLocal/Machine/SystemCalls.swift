#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The machine reader's whole C boundary: opening, reading and closing a file. Everything else in
// this folder works on text.

/// Text of a small system file, or nil when it is absent, unreadable or not a file.
///
/// At most 4 MiB are read: `/proc` and `/sys` report a size of 0 or 4,096, so size says nothing
/// beforehand. Bytes that are not UTF-8 (a control group's name may hold any) are replaced.
func readSystemFile(_ path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { _ = close(descriptor) }

  let limit = 4 << 20
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16 << 10)
  while bytes.count < limit {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { return nil }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}

#if !os(Linux)
  /// The CPUs in use, where there is no `/proc` to ask; nil when the system does not tell.
  func systemOnlineCPUs() -> CPUList? {
    let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return count > 0 ? CPUList(0..<Int(count)) : nil
  }
#endif
