package import HybridCore

/// Thread counts that somebody set, with who did.
package struct ThreadSettings: Sendable, Hashable {
  /// Threads for decoding, and for prefill too unless that is set apart.
  package let decode: ThreadCount?
  package let prefill: ThreadCount?

  /// Nobody set anything: the machine decides.
  package static let none = ThreadSettings(decode: nil, prefill: nil)

  /// Counts that make sense: llama.cpp has room for 512 threads.
  package static let range = 1...512

  private init(decode: ThreadCount?, prefill: ThreadCount?) {
    self.decode = decode
    self.prefill = prefill
  }

  /// The settings in force: the caller's, else `HYBRID_THREADS`, else `LLAMA_ARG_THREADS`.
  ///
  /// A blank variable counts as unset, and so does llama.cpp's `-1` in its own variable, where it
  /// means "choose". A variable that a stronger setting hides is not looked at.
  /// - Throws: ``ThreadSettingError`` for a count outside ``range`` or text that is no number.
  package init(
    decode: Int? = nil, prefill: Int? = nil, environment: [String: String]
  ) throws(ThreadSettingError) {
    self.prefill = try prefill.map { value throws(ThreadSettingError) in
      try Self.count("\(value)", .explicit, named: "prefill threads")
    }
    if let decode {
      self.decode = try Self.count("\(decode)", .explicit, named: "threads")
      return
    }
    for name in ["HYBRID_THREADS", "LLAMA_ARG_THREADS"] {
      let text = (environment[name] ?? "").trimmingBlanks
      if text.isEmpty || (name == "LLAMA_ARG_THREADS" && text == "-1") { continue }
      self.decode = try Self.count(String(text), .environment(name), named: name)
      return
    }
    self.decode = nil
  }

  private static func count(
    _ text: String, _ source: ThreadCount.Source, named name: String
  ) throws(ThreadSettingError) -> ThreadCount {
    guard let value = Int(text), range.contains(value) else {
      throw ThreadSettingError(setting: name, value: text)
    }
    return ThreadCount(value, source)
  }
}

/// A thread count that cannot be used.
package struct ThreadSettingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The option's or the environment variable's name.
  package let setting: String
  package let value: String

  package var description: String {
    "\(setting) is '\(value.prefix(40))', which is not a number of threads. \(Self.nextStep)."
  }

  private static var nextStep: String {
    "Give a whole number from \(ThreadSettings.range.lowerBound) to "
      + "\(ThreadSettings.range.upperBound), or leave it out"
  }

  /// The error that a caller of the SDK sees.
  package var hybridError: HybridError {
    HybridError(
      .invalidConfiguration,
      "\(setting) is '\(value.prefix(40))', which is not a number of threads",
      nextStep: Self.nextStep, details: ["setting": .string(setting)], side: .local,
      underlying: self)
  }
}
