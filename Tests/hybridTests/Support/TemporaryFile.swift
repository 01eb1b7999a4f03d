#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file in the folder for such files, removed when it is let go.
final class TemporaryFile: Sendable {
  let path: String

  init(_ text: String) throws {
    var template = Array("/tmp/hybrid-test-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw Descriptor.Failure("mkstemp") }
    let file = Descriptor(descriptor)
    let bytes = Array(text.utf8)
    guard unsafe write(file.number, bytes, bytes.count) == bytes.count else {
      throw Descriptor.Failure("write")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    unsafe unlink(path)
  }
}
