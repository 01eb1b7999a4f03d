private import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts a whole file in the place of another; only the user may read it.
///
/// It is written beside the old one first and renamed, which rename(2) does at once: "If newpath
/// already exists, it will be atomically replaced".
///
/// - Parameter path: in a folder that is there.
/// - Returns: false when it could not be done; then the old file stands as it was.
func replaceSmallFile(_ path: String, with bytes: [UInt8]) -> Bool {
  writeSmallFile(path, bytes) == 0
}

/// The same; 0, or the system's number for what went wrong.
func writeSmallFile(_ path: String, _ bytes: [UInt8]) -> Int32 {
  // Its own name for each writer, of this process and of others, so that none completes another's.
  let number = draftNumber.wrappingAdd(1, ordering: .relaxed).newValue
  let draft = "\(path).\(getpid()).\(number)"
  // One that an ended process left, or a link that somebody put there: not written through.
  _ = unsafe unlink(draft)
  let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return errno }
  var written = 0
  var failure: Int32 = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe write(
        descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
    }
    if count < 0, errno == EINTR { continue }
    if count <= 0 {
      failure = count < 0 ? errno : ENOSPC
      break
    }
    written += count
  }
  if close(descriptor) != 0, failure == 0 { failure = errno }
  if failure == 0, unsafe rename(draft, path) != 0 { failure = errno }
  if failure != 0 { _ = unsafe unlink(draft) }
  return failure
}

private let draftNumber = Atomic(0)

/// Makes the folders above a file, where they are absent.
///
/// - Returns: the system's number for the last one that could not be made; 0 where all are there.
@discardableResult
func makeFolders(above path: String) -> Int32 {
  var place = path.startIndex
  var failure: Int32 = 0
  while let slash = path[place...].dropFirst().firstIndex(of: "/") {
    // One that exists, or cannot be made, shows when the file is opened.
    let isMade = unsafe mkdir(String(path[..<slash]), 0o700) == 0
    failure = isMade || errno == EEXIST ? 0 : errno
    place = slash
  }
  return failure
}

/// Runs `body` while no other caller of this, in any process, runs one for a file of the same folder.
///
/// Waits for two seconds, not for ever: a process that was stopped with the lock in its hand must not
/// stop others. What `body` does has to be harmless without the lock too.
func withFolderLocked<Value>(of path: String, _ body: () -> Value) -> Value {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  // Closing it gives the lock back.
  defer { if descriptor >= 0 { _ = close(descriptor) } }
  // flock(2) waits for ever or not at all. Who has the lock has it for a millisecond.
  var waitsLeft = descriptor >= 0 ? 2_000 : 0
  while waitsLeft > 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
    waitsLeft -= 1
    _ = poll(nil, 0, 1)
  }
  return body()
}

/// Whether there is something under this name, whatever it is.
func isPresent(_ path: String) -> Bool {
  var facts = stat()
  return unsafe lstat(path, &facts) == 0
}
