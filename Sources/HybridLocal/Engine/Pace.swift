package import HybridCore

/// How often somebody who is asked very often reads the clock: once in 16 questions where they come
/// quickly, each time where they do not.
///
/// llama.cpp asks whether to go on before each operation of a decode: every 8 µs in a small model's
/// token, every 100 ms and more in a large one's prompt. A look at the clock costs 0.2 µs.
package struct Pace: Sendable, Hashable {
  /// Questions that pass between two looks; at most 15.
  package private(set) var stride = 0
  private var left = 0
  private var last: Moment?

  package init() {}

  /// Asked once more. True: look at the clock now, and say what it told.
  package mutating func isDue() -> Bool {
    if left > 0 {
      left -= 1
      return false
    }
    left = stride
    return true
  }

  package mutating func looked(at now: Moment) {
    defer { last = now }
    guard let last else { return }
    if now - last < .milliseconds(1) {
      stride = min(15, 2 * stride + 1)
    } else if now - last > .milliseconds(4) {
      stride = 0
      left = 0
    }
  }
}
