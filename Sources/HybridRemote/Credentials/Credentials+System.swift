extension Credentials {
  /// A credential that systemd gives the service (`LoadCredential=`, `SetCredential=`): a file of
  /// this name in the directory that `CREDENTIALS_DIRECTORY` names.
  ///
  /// - Parameter environment: looks a variable up; nil: the process's own environment.
  public static func systemd(
    _ name: String, header: Header = .bearer, environment: ((String) -> String?)? = nil
  ) -> Credentials {
    let directory = (environment ?? ProcessEnvironment.value)("CREDENTIALS_DIRECTORY") ?? ""
    let source: Source
    // A zero byte would end the path early.
    if name.isEmpty || name == "." || name == ".." || name.contains(where: { "/\0".contains($0) }) {
      source = .absent("is no credential's name")
    } else if directory.isEmpty {
      source = .absent("is not there: systemd gave this process no credentials")
    } else {
      source = .file(directory + "/" + name)
    }
    return Credentials(source: source, header: header, name: "systemd credential \(name)")
  }
}
