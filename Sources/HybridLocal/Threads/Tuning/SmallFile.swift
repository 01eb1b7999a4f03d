#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts a whole file in the place of another, making the folders above it; only the user may read it.
///
/// It is written beside the old one first and renamed, which rename(2) does at once: "If newpath
/// already exists, it will be atomically replaced".
///
/// - Returns: false when it could not be done; then the old file stands as it was.
func replaceSmallFile(_ path: String, with bytes: [UInt8]) -> Bool {
  makeFolders(above: path)
  let draft = "\(path).\(getpid())"
  // A link that somebody put there is not followed.
  _ = unsafe unlink(draft)
  let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return false }
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe write(
        descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
    }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { break }
    written += count
  }
  let isClosed = close(descriptor) == 0
  if isClosed, written == bytes.count, unsafe rename(draft, path) == 0 { return true }
  _ = unsafe unlink(draft)
  return false
}

private func makeFolders(above path: String) {
  var place = path.startIndex
  while let slash = path[place...].dropFirst().firstIndex(of: "/") {
    // One that exists, or cannot be made, shows when the file is opened.
    _ = unsafe mkdir(String(path[..<slash]), 0o700)
    place = slash
  }
}
