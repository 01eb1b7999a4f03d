/// How `hybrid` ends, for the shell.
struct ExitCode: RawRepresentable, Sendable, Hashable {
  let rawValue: Int32

  static let done = ExitCode(rawValue: 0)
  static let failure = ExitCode(rawValue: 1)
  static let usage = ExitCode(rawValue: 64)
  static let badData = ExitCode(rawValue: 65)
  static let unavailable = ExitCode(rawValue: 69)
  /// A model file that cannot serve, whatever is wrong with it and whichever command was to use it: no
  /// input of the user's is at fault that another file would not put right.
  static let unusableModel = unavailable
  static let `internal` = ExitCode(rawValue: 70)
  static let temporary = ExitCode(rawValue: 75)
  static let credentials = ExitCode(rawValue: 77)
  static let configuration = ExitCode(rawValue: 78)
  static let deadline = ExitCode(rawValue: 124)
  static let interrupted = ExitCode(rawValue: 130)
  /// The reader of stdout went away: what a shell shows for a program that SIGPIPE ended.
  static let outputClosed = ExitCode(rawValue: 141)
  static let terminated = ExitCode(rawValue: 143)

  /// Every code with its meaning, as the help prints it.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.done, "done"),
    (.failure, "failure"),
    (.usage, "wrong usage"),
    (.badData, "bad data, or the context is too long"),
    (.unavailable, "unavailable: local required but impossible, or no side left"),
    (.internal, "internal fault"),
    (.temporary, "temporary: busy, loading or rate-limited; try again later"),
    (.credentials, "credentials missing or refused"),
    (.configuration, "configuration: a policy, a gateway URL, or options that contradict a policy"),
    (.deadline, "the deadline passed"),
    (.interrupted, "interrupted by Ctrl-C"),
    (.outputClosed, "stdout was closed by its reader"),
    (.terminated, "terminated"),
  ]
}
