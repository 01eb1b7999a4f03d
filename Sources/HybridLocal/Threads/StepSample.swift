private import HybridCore

/// What a step computes: tokens that running answers generate or verify, and tokens of prompts.
package struct StepShape: Sendable, Hashable {
  package var generated: Int
  package var prompt: Int

  package init(generated: Int, prompt: Int = 0) {
    self.generated = generated
    self.prompt = prompt
  }

  package var tokens: Int { generated + prompt }
}

/// How one step went.
package struct StepSample: Sendable, Hashable {
  package var shape: StepShape
  /// Threads that it computed with.
  package var threads: Int
  package var wall: Duration
  /// CPU time of those threads over the step, what they spent waiting for one another included; nil
  /// where it is not known.
  package var cpu: Duration?
  /// CPUs that stood idle since the last such reading, 0…; nil when it was not read.
  package var idleCPUs: Double?

  package init(
    shape: StepShape, threads: Int, wall: Duration, cpu: Duration? = nil, idleCPUs: Double? = nil
  ) {
    self.shape = shape
    self.threads = threads
    self.wall = wall
    self.cpu = cpu
    self.idleCPUs = idleCPUs
  }

  /// CPUs that the threads wanted and did not get: 0 when each ran all the time, `threads` when none
  /// did.
  ///
  /// Threads that wait for one another spin, so each one uses a whole CPU as long as it gets it.
  var lostCPUs: Double? {
    guard let cpu, wall > .zero else { return nil }
    return min(max(0, Double(threads) - cpu.inSeconds / wall.inSeconds), Double(threads))
  }
}
