/// Python's `start:stop:step`, each part of which may be missing.
struct PythonSlice {
  var start: Int?
  var stop: Int?
  var step: Int?

  /// The slice over a sequence of a known length.
  struct Resolved {
    var start: Int
    var stop: Int
    var step: Int

    /// The indices that it selects, in order.
    var indices: StrideTo<Int> { stride(from: start, to: stop, by: step) }
  }

  /// Counts negative ends from the end and clamps both, as Python does. `step` must not be zero.
  func resolved(count: Int) -> Resolved {
    let step = max(step ?? 1, -Int.max)
    let lowest = step < 0 ? -1 : 0
    let highest = step < 0 ? count - 1 : count
    func clamp(_ index: Int) -> Int {
      let counted = index < 0 ? (index < -count ? -1 : index + count) : index
      return min(max(counted, lowest), highest)
    }
    let start = start.map(clamp) ?? (step < 0 ? highest : lowest)
    let stop = stop.map(clamp) ?? (step < 0 ? lowest : highest)
    return Resolved(start: start, stop: stop, step: step)
  }
}
