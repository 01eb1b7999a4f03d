#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The model reader's C boundary: open, fstat, pread, close. The rest of the folder sees bytes.

/// A model file open for reading; closed when the last reference goes.
final class ModelFileHandle: Sendable {
  let identity: ModelFileIdentity
  private let descriptor: Int32

  /// - Throws: ``ModelFileError`` of the kinds missing, directory, notAFile, empty, and those
  ///   that pass (``ModelFileError/Kind/passes``).
  init(path: String) throws(ModelFileError) {
    // Not blocking: a named pipe would otherwise wait for a writer for ever.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.openError(errno, path) }
    do throws(ModelFileError) {
      identity = try ModelFileIdentity(descriptor: descriptor, path: path)
    } catch {
      _ = close(descriptor)
      throw error
    }
  }

  deinit {
    _ = close(descriptor)
  }

  var bytes: ModelBytes {
    ModelBytes(size: identity.size) { [self] offset, count throws(ModelFileError) in
      try read(offset, count)
    }
  }

  private func read(_ offset: UInt64, _ count: Int) throws(ModelFileError) -> [UInt8] {
    guard let start = off_t(exactly: offset) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          start + off_t(filled))
      }
      if result < 0 {
        let code = errno
        if code == EINTR { continue }
        throw ModelFileError.notNow("read", code, offset: offset + UInt64(filled))
      }
      if result == 0 { break }
      filled += result
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  private static func openError(_ code: Int32, _ path: String) -> ModelFileError {
    switch code {
    case ENOENT where isPresent(path):
      ModelFileError(.missing, "this is a link to a file that is not there", path: path)
    case ENOENT, ENOTDIR:
      ModelFileError(.missing, "there is no such file", path: path)
    case ELOOP:
      ModelFileError(.linkLoop, ModelFileError.linkLoop, path: path)
    case ENAMETOOLONG:
      ModelFileError(.missing, "this path is longer than the system allows", path: path)
    case ENXIO, ENODEV:
      ModelFileError(.notAFile, "this is not a regular file", path: path)
    case EINVAL:
      ModelFileError(.missing, "this path cannot be followed (error \(code))", path: path)
    default: .notNow("opened", code, path: path)
    }
  }
}

extension ModelFileError {
  /// What kept the file from being read now, and says nothing of what is in it.
  ///
  /// - Parameter done: what could not be done with it, as in "cannot be opened now".
  package static func notNow(
    _ done: String, _ code: Int32, offset: UInt64? = nil, path: String? = nil
  ) -> ModelFileError {
    let (kind, problem): (Kind, String) =
      switch code {
      case EACCES, EPERM: (.unreadable, "permission to read the file is denied")
      case EMFILE, ENFILE:
        (.outOfDescriptors, "the file cannot be \(done) now: too many files are open")
      case ENOMEM, ENOBUFS:
        (.outOfMemory, "the file cannot be \(done) now: the system has no memory left")
      default: (.readFailed, "the file cannot be \(done) now (error \(code))")
      }
    return ModelFileError(kind, problem, offset: offset, path: path)
  }
}
