import HybridCore

extension Check {
  /// A side that the operator turned off.
  static let killSwitch = Check(code: .killSwitch, sides: [.local, .remote]) { question in
    question.facts.limits.switchedOff.contains(question.side) ? .excludes() : .pass()
  }
}
