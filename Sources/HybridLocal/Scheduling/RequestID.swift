/// A request's number within its engine: later ones are greater.
package struct RequestID: Sendable, Hashable, Comparable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }

  package static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}
