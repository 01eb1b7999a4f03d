/// A model file that is open: what it is, and its bytes.
package struct OpenModelFile: Sendable {
  package let identity: ModelFileIdentity
  package let bytes: ModelBytes

  package init(identity: ModelFileIdentity, bytes: ModelBytes) {
    self.identity = identity
    self.bytes = bytes
  }
}

/// How model files are opened: by the file system, or by a test.
package struct ModelFiles: Sendable {
  /// - Throws: what ``ModelFileHandle`` does.
  package var open: @Sendable (_ path: String) throws(ModelFileError) -> OpenModelFile

  package init(
    open: @escaping @Sendable (_ path: String) throws(ModelFileError) -> OpenModelFile
  ) {
    self.open = open
  }

  /// The machine's own file system.
  package static let real = ModelFiles { path throws(ModelFileError) in
    let file = try ModelFileHandle(path: path)
    return OpenModelFile(identity: file.identity, bytes: file.bytes)
  }
}
