import Measuring

struct Options {
  var cancels = 2000
  var seed: UInt64 = 1
  var streams = 4
  /// True in the namespace with the dead resolver.
  var isInside = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let option = rest.popFirst() {
      func count() throws -> Int {
        guard let text = rest.popFirst(), let value = Int(text), value > 0 else {
          throw UsageError("\(option) needs a number above 0")
        }
        return value
      }
      switch option {
      case "--cancels": cancels = try count()
      case "--seed": seed = UInt64(try count())
      case "--streams": streams = try count()
      case Namespace.argument: isInside = true
      default: throw UsageError("\(option) is no option of GatewayCancels")
      }
    }
  }

  var arguments: [String] {
    ["--cancels", String(cancels), "--seed", String(seed), "--streams", String(streams)]
  }
}
