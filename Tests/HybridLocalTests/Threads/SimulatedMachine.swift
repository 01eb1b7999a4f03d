import HybridCore
import HybridLocal
import HybridTesting

/// Cores, busy neighbours on them, and what a step costs beside those.
///
/// Threads and neighbours share the cores fairly; where there are more than cores, every operation
/// waits for the thread that is not running. Its numbers are those measured on two cores: one thread
/// decodes 91 tokens a second and two 133; beside one neighbour 93 and 44, beside two 70 and 33.
struct SimulatedMachine {
  var cores: Int
  var neighbours = 0
  /// The share of a step's time by which it differs at random, evenly on both sides.
  var noise = 0.08
  var tellsCPUTime = true
  var tellsIdleCPUs = true
  /// Grows with the context.
  var depth = 0
  var generator: SeededGenerator

  init(cores: Int, seed: UInt64 = 1) {
    self.cores = cores
    generator = SeededGenerator(seed: seed)
  }

  /// Seconds without neighbours: a part that no thread shares and one that all do.
  func quietSeconds(_ shape: StepShape, threads: Int) -> Double {
    let work = 0.005 + 0.0045 * Double(shape.generated) + 0.003 * Double(shape.prompt)
    let serial = min(0.4, 2 / Double(cores + 3))
    return work * (serial + (1 - serial) / Double(threads)) * (1 + Double(depth) / 2_000)
  }

  func meanSeconds(_ shape: StepShape, threads: Int) -> Double {
    let quiet = quietSeconds(shape, threads: threads)
    let running = threads + neighbours
    if running <= cores { return quiet }
    let share = Double(cores) / Double(running)
    // The more threads, the likelier that one of them is away.
    return quiet / share * (1 + Double(Int.bitWidth - 1 - threads.leadingZeroBitCount))
  }

  /// The count that is best now.
  func bestThreads(_ shape: StepShape, ceiling: Int) -> Int {
    (1...ceiling).min { meanSeconds(shape, threads: $0) < meanSeconds(shape, threads: $1) } ?? 1
  }

  mutating func sample(_ shape: StepShape, threads: Int, readsIdle: Bool) -> StepSample {
    let isCrowded = threads + neighbours > cores
    var factor = 1 + Double.random(in: -noise...noise, using: &generator)
    // A descheduled thread is away for a whole time slice or not at all.
    if isCrowded { factor *= Bool.random(using: &generator) ? 0.4 : 1.6 }
    let wall = meanSeconds(shape, threads: threads) * factor
    let share = min(1, Double(cores) / Double(threads + neighbours))
    depth += 1
    return StepSample(
      shape: shape, threads: threads, wall: .seconds(wall),
      cpu: tellsCPUTime
        ? .seconds(
          wall * (Double(threads) * share - Double.random(in: 0...0.15, using: &generator)))
        : nil,
      idleCPUs: readsIdle && tellsIdleCPUs
        ? Double(max(0, cores - neighbours - threads))
          * Double.random(
            in: 0.85...1, using: &generator) : nil)
  }
}

/// A controller that drives the machine, and what came of it.
struct SimulatedRun {
  var machine: SimulatedMachine
  var controller: ThreadController
  /// Thread counts of all steps.
  private(set) var threads: [Int] = []
  private(set) var seconds = 0.0
  /// What the best fixed count of each moment would have taken.
  private(set) var bestSeconds = 0.0

  init(_ machine: SimulatedMachine, ceilings: ThreadCounts) {
    self.machine = machine
    controller = ThreadController(ceilings: ceilings)
  }

  mutating func step(_ shape: StepShape = StepShape(generated: 1)) {
    let count = controller.threads(for: shape)
    let ceiling = shape.prompt > 0 ? controller.ceilings.prefill : controller.ceilings.decode
    let best = machine.bestThreads(shape, ceiling: ceiling)
    bestSeconds += machine.meanSeconds(shape, threads: best)
    // The mean, not the sample: what counts is the choice, not the luck.
    seconds += machine.meanSeconds(shape, threads: count)
    threads.append(count)
    controller.record(
      machine.sample(shape, threads: count, readsIdle: controller.idleWatch == .due))
  }

  mutating func steps(_ count: Int, _ shape: StepShape = StepShape(generated: 1)) {
    for _ in 0..<count { step(shape) }
  }

  mutating func startMeasuring() {
    (threads, seconds, bestSeconds) = ([], 0, 0)
  }

  /// Speed in proportion to the best count's.
  var efficiency: Double { bestSeconds / seconds }
}
