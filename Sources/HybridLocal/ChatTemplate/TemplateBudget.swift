/// Limits of one render, so that a hostile template costs milliseconds and not the service.
///
/// A step is one expression, statement or loop turn, or 64 bytes of text moved, or one element of a
/// collection built. Steps bound the time: no clock is read, so the same render always ends the same.
package struct TemplateBudget: Equatable, Sendable {
  /// One of the limits.
  package enum Limit: Equatable, Sendable {
    /// Steps of a render.
    case steps
    /// Bytes of one string, the output included.
    case size
    /// Nesting of the source, or of calls and blocks while rendering.
    case nesting
    /// Bytes of the template's source.
    case source
  }

  /// Steps of a render.
  package var steps: Int
  /// Bytes of UTF-8 that the output, or any string on the way, may have.
  package var size: Int
  /// Levels of statements and expressions being evaluated inside one another.
  package var nesting: Int

  /// - Parameters:
  ///   - size: 16 MiB are about four million tokens, more than any context holds.
  ///   - nesting: half of where jinja2 ends by Python's limit of 1,000 calls; real templates need
  ///     a dozen. It fits a stack of 4 MiB without the optimiser.
  package init(steps: Int, size: Int = 16 << 20, nesting: Int = 250) {
    self.steps = steps
    self.size = size
    self.nesting = nesting
  }

  /// Levels of nesting in the source of one expression, and of blocks.
  static let sourceNesting = 100
  /// Bytes of source. The largest of the 70 templates that llama.cpp ships has 17 kB.
  static let sourceSize = 1 << 18

  /// The default for a conversation of `messages` messages and `bytes` bytes of text.
  ///
  /// Measured over 70 real templates: at most 2,300 steps for six messages, 33,000 for 81 and
  /// 107,000 for 161 (some look at all earlier messages for each). This gives at least three times
  /// as much, up to ``mostSteps``: a conversation of thousands of messages is longer than any context,
  /// and the templates that look back end at some 700. 200,000 steps take 60 to 200 ms (one core of a
  /// Zen 4 server, release build).
  package static func standard(messages: Int, bytes: Int) -> TemplateBudget {
    let count = min(messages, 100_000)
    let steps = 20_000 + 1_000 * count + 10 * count * count + min(bytes, mostSteps)
    return TemplateBudget(steps: min(steps, mostSteps))
  }

  /// Steps of the longest conversation's render: a second, and no other request is prepared
  /// meanwhile.
  package static let mostSteps = 2_000_000
}

extension TemplateBudget.Limit: CustomStringConvertible {
  package var description: String {
    switch self {
    case .steps: "steps"
    case .size: "size"
    case .nesting: "nesting"
    case .source: "the length of its source"
    }
  }
}
