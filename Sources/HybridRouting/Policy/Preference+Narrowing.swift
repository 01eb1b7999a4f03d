public import HybridCore

extension Preference {
  /// The preference that counts when a policy has this one and a request asks for `request`.
  ///
  /// A `prefer…` may become anything; an `…Only` admits only itself, so that no request widens what
  /// the policy allows.
  ///
  /// - Returns: nil where the two conflict: then no side is left.
  public func narrowed(by request: Preference?) -> Preference? {
    guard let request else { return self }
    return isExclusive && request != self ? nil : request
  }
}
