import HybridCore
import Testing

/// Random lives of a breaker, watched from outside by a few lines that know only the rules.
@Suite struct CircuitBreakerPropertyTests {
  @Test(arguments: 0..<40)
  func `at most one probe, none while open, and the words agree with the deeds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var breaker = CircuitBreaker()
    var running: [CircuitBreaker.Permit] = []
    var probes: [CircuitBreaker.Permit] = []
    var now = Moment.origin
    var latest = Moment.origin
    var refusals = 0
    var probed = 0
    let failing = [0.05, 0.5, 0.95, 1.0][Int(seed % 4)]

    for _ in 0..<3000 {
      // Mostly forward by up to a second, now and then far, now and then back.
      let step = Double.random(in: 0..<1, using: &random)
      let leap = random.chance(0.02) ? 70.0 : random.chance(0.02) ? -30 : 1
      now = now + .seconds(step * leap)
      latest = max(latest, now)

      if running.isEmpty && probes.isEmpty || random.chance(0.5) {
        let foretold = breaker.refusal(at: now)
        let before = breaker.state
        switch breaker.admit(at: now) {
        case .allowed(let permit):
          #expect(before == .closed)
          #expect(foretold == nil)
          #expect(!permit.isProbe)
          running.append(permit)
        case .probe(let permit):
          if case .open(let until) = before { #expect(until <= latest) }
          #expect(before != .closed)
          #expect(foretold == nil)
          #expect(permit.isProbe)
          // A probe may be followed by another only once it has been lost for 660 s.
          if case .probing(let since) = before {
            #expect(latest - since >= .seconds(660))
            probes.removeAll()
          }
          #expect(probes.isEmpty)
          probes = [permit]
          probed += 1
        case .refused(let until):
          #expect(foretold == until)
          #expect(before != .closed)
          #expect(until >= latest)
          refusals += 1
        }
      } else {
        let outcome: CallOutcome =
          random.chance(failing) ? .failed : random.chance(0.1) ? .abandoned : .succeeded
        if let probe = probes.last, running.isEmpty || random.chance(0.5) {
          breaker.ended(probe, outcome, at: now, random: random.unit())
          probes = []
          if outcome == .succeeded { #expect(breaker.state == .closed) }
          if outcome == .failed { #expect(breaker.refusal(at: now) != nil) }
        } else if !running.isEmpty {
          let place = Int.random(in: 0..<running.count, using: &random)
          breaker.ended(
            running.remove(at: place), outcome, at: now, random: random.unit())
        }
      }
      if case .open(let until) = breaker.state {
        #expect(until - latest <= .seconds(66))
      }
    }
    if failing == 1 { #expect(refusals > 100 && probed > 5) }
  }

  @Test(arguments: 0..<20)
  func `once the gateway is back it is used again within one interval`(seed: UInt64) {
    var random = SeededGenerator(seed: 100 + seed)
    var breaker = CircuitBreaker()
    var now = Moment.origin
    let outage = Double.random(in: 1..<300, using: &random)
    while now < Moment(sinceOrigin: .seconds(outage)) {
      let admission = breaker.admit(at: now)
      if let permit = admission.permit {
        breaker.ended(permit, .failed, at: now, random: random.unit())
      }
      now = now + .milliseconds(100)
    }
    let back = now
    let interval = min(60, 5 * Double(1 << min(10, max(0, breaker.openings - 1)))) * 1.1
    while breaker.state != .closed {
      if let permit = breaker.admit(at: now).permit {
        #expect(permit.isProbe)
        breaker.ended(permit, .succeeded, at: now, random: random.unit())
      }
      now = now + .milliseconds(100)
    }
    #expect(now - back <= .seconds(interval + 0.2))
  }

  @Test(arguments: 0..<20)
  func `the same life by the same numbers ends in the same state`(seed: UInt64) {
    func life() -> CircuitBreaker {
      var random = SeededGenerator(seed: seed)
      var breaker = CircuitBreaker()
      var now = Moment.origin
      for _ in 0..<500 {
        now = now + .seconds(random.unit())
        if let permit = breaker.admit(at: now).permit {
          breaker.ended(
            permit, random.chance(0.6) ? .failed : .succeeded, at: now, random: random.unit())
        }
      }
      return breaker
    }
    #expect(life() == life())
  }
}
