/// Where the text of `/proc` and `/sys` comes from: the machine itself, or a tree written by a test.
package struct MachineFiles: Sendable {
  /// The file's text, or nil when it is absent or cannot be read. The path is absolute.
  package var read: @Sendable (_ path: String) -> String?

  package init(read: @escaping @Sendable (_ path: String) -> String?) {
    self.read = read
  }

  /// The files under a root folder; `/` is the machine itself.
  package static func real(root: String = "/") -> MachineFiles {
    let prefix = root.hasSuffix("/") ? String(root.dropLast()) : root
    return MachineFiles { path in readSystemFile(prefix + path) }
  }

  /// The files of a fixed tree: absolute paths and their texts.
  package static func tree(_ files: [String: String]) -> MachineFiles {
    MachineFiles { path in files[path] }
  }
}
