import HybridCore
import Synchronization

/// What a call told of its tries.
final class Log: Sendable {
  private let kept = Mutex<(attempts: [Attempt], numbers: [Int])>(([], []))

  var attempts: [Attempt] { kept.withLock { $0.attempts } }
  var numbers: [Int] { kept.withLock { $0.numbers } }

  func add(_ attempt: Attempt) { kept.withLock { $0.attempts.append(attempt) } }
  func note(_ number: Int) { kept.withLock { $0.numbers.append(number) } }
}

/// Set by one task and read by others.
final class Flag: Sendable {
  private let flag: Mutex<Bool>

  init(_ value: Bool) { flag = Mutex(value) }

  var value: Bool { flag.withLock { $0 } }
  func set(_ value: Bool) { flag.withLock { $0 = value } }
}

/// Numbers whose upper bits differ, as random ones do.
final class Counter: Sendable {
  private let count = Mutex<UInt64>(0)

  func next() -> UInt64 {
    count.withLock { count in
      count += 1
      return count << 40
    }
  }
}
