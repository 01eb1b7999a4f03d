internal import HybridCore
internal import HybridRouting

/// A routing policy from a file.
enum PolicyFile {
  /// - Throws: `invalidConfiguration` with the field's path, or the line and column of broken syntax.
  static func read(_ path: String) throws(HybridError) -> RoutingPolicy {
    do throws(HybridError) {
      let text = try TextFile.read(path, kind: "policy file")
      return try JSONFileDecoder(name: "policy file \(path.quoted)")
        .decode(RoutingPolicy.self, from: text)
    } catch {
      // The same fault as in a messages file, but it is the configuration that has it.
      var error = error
      error.code = .invalidConfiguration
      throw error
    }
  }
}
