/// Whether to measure how many CPUs stand idle.
package enum IdleCPUWatch: Sendable, Hashable {
  /// Nobody asks: what was measured before is too old when somebody does.
  case off
  /// The measurement runs.
  case running
  /// The next sample should hold its result.
  case due
}
