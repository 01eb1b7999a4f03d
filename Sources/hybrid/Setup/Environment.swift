/// The process's environment as a value. A blank variable counts as unset.
struct Environment: Sendable, Hashable {
  let variables: [String: String]

  init(_ variables: [String: String]) {
    self.variables = variables.filter { !$0.value.allSatisfy(\.isWhitespace) }
  }

  subscript(name: String) -> String? { variables[name] }
}

extension Environment {
  /// This process's own.
  static func current() -> Environment {
    var variables: [String: String] = [:]
    #if canImport(Darwin)
      var next = unsafe _NSGetEnviron().pointee
    #else
      var next = unsafe environ
    #endif
    while let entry = unsafe next.pointee {
      let parts = unsafe String(cString: entry).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe next += 1
    }
    return Environment(variables)
  }
}

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif
