private import HybridCore

/// A command's arguments, taken apart but not yet understood.
struct ParsedArguments: Sendable, Hashable {
  struct Occurrence: Sendable, Hashable {
    let option: Option
    let value: String?
  }

  /// Every option, in the order given.
  var occurrences: [Occurrence] = []
  /// Everything that is not an option.
  var positionals: [String] = []

  func has(_ option: Option) -> Bool {
    occurrences.contains { $0.option == option }
  }

  /// The last value given; a later one replaces an earlier one.
  func value(_ option: Option) -> String? {
    occurrences.last { $0.option == option }?.value
  }

  /// Every value given, in order.
  func values(_ option: Option) -> [String] {
    occurrences.filter { $0.option == option }.compactMap(\.value)
  }
}
