import HybridCore
import HybridLocal
import HybridTesting
import Testing

struct RequestQueueTests {
  static func ticket(
    _ number: Int, prompt: Int = 10, output: Int = 10, deadline: Double? = nil
  ) -> RequestQueue.Ticket {
    RequestQueue.Ticket(
      id: RequestID(number), work: Work(promptTokens: prompt, mostOutputTokens: output),
      deadline: deadline.map { .origin + .seconds($0) })
  }

  @Test func `requests run in order of arrival, one at a time`() {
    var queue = RequestQueue(capacity: 3)
    #expect(queue.admit(Self.ticket(1)) == .admitted(ahead: 0))
    #expect(queue.admit(Self.ticket(2)) == .admitted(ahead: 1))
    #expect(queue.admit(Self.ticket(3)) == .admitted(ahead: 2))
    #expect(queue.admit(Self.ticket(4)) == .full)
    #expect(queue.startNext(at: .origin)?.id == RequestID(1))
    #expect(queue.startNext(at: .origin) == nil)
    queue.finishRunning()
    #expect(queue.startNext(at: .origin)?.id == RequestID(2))
    #expect(queue.depth == 2)
  }

  @Test func `a cancel finds its own request and no other`() {
    var queue = RequestQueue(capacity: 9)
    for number in 1...3 { _ = queue.admit(Self.ticket(number)) }
    _ = queue.startNext(at: .origin)
    #expect(queue.cancel(RequestID(2)) == .waiting)
    #expect(queue.cancel(RequestID(2)) == .absent)
    #expect(queue.cancel(RequestID(1)) == .running)
    #expect(queue.running?.id == RequestID(1))
    #expect(queue.waiting.map(\.id) == [RequestID(3)])
  }

  @Test func `those whose deadline passed while they waited leave together`() {
    var queue = RequestQueue(capacity: 9)
    _ = queue.admit(Self.ticket(1, deadline: 1))
    _ = queue.startNext(at: .origin)
    _ = queue.admit(Self.ticket(2, deadline: 2))
    _ = queue.admit(Self.ticket(3))
    _ = queue.admit(Self.ticket(4, deadline: 3))
    let now = Moment.origin + .seconds(2)
    #expect(queue.removeExpired(at: now) == [RequestID(2)])
    #expect(queue.waiting.map(\.id) == [RequestID(3), RequestID(4)])
    #expect(queue.running?.id == RequestID(1))
    #expect(queue.isRunningExpired(at: now))
    #expect(!queue.isRunningExpired(at: .origin))
    queue.finishRunning()
    #expect(!queue.isRunningExpired(at: now))
  }

  @Test func `the expected wait is what the others will take, less what the running one has had`() {
    var meter = SpeedMeter()
    // 10 ms a prompt token, 100 ms a generated one.
    meter.record(
      promptTokens: 100, prefill: .seconds(1), generatedTokens: 11, decode: .seconds(1))
    var queue = RequestQueue(capacity: 9)
    #expect(queue.expectedWait(at: .origin, by: meter) == .zero)
    _ = queue.admit(Self.ticket(1, prompt: 100, output: 5))
    _ = queue.startNext(at: .origin)
    #expect(queue.expectedWait(at: .origin, by: meter) == .seconds(1.5))
    _ = queue.admit(Self.ticket(2, prompt: 50, output: 10))
    #expect(queue.expectedWait(at: .origin + .seconds(1), by: meter) == .seconds(2))
    #expect(queue.expectedWait(at: .origin + .seconds(60), by: meter) == .seconds(1.5))
  }

  @Test func `generated schedules keep the order, end each request once and never overfill`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var queue = RequestQueue(capacity: Int.random(in: 1...5, using: &random))
      var admitted: Set<Int> = []
      var ended: [Int] = []
      var lastStarted = 0
      func end(_ id: RequestID?) {
        guard let id else { return }
        #expect(admitted.contains(id.number) && !ended.contains(id.number))
        ended.append(id.number)
      }
      for number in 1...60 {
        switch Int.random(in: 0...4, using: &random) {
        case 0, 1:
          if case .admitted = queue.admit(
            Self.ticket(number, deadline: Bool.random(using: &random) ? Double(number) + 5 : nil))
          {
            admitted.insert(number)
          }
        case 2:
          if let next = queue.startNext(at: .origin) {
            #expect(next.id.number > lastStarted)
            lastStarted = next.id.number
          } else if let running = queue.running {
            queue.finishRunning()
            end(running.id)
          }
        case 3:
          let id = RequestID(Int.random(in: 1...number, using: &random))
          if queue.cancel(id) == .waiting { end(id) }
        default:
          for id in queue.removeExpired(at: .origin + .seconds(Double(number))) { end(id) }
        }
        #expect(queue.depth <= queue.capacity)
      }
      end(queue.running?.id)
      for id in queue.removeAll() { end(id) }
      #expect(Set(ended) == admitted)
    }
  }
}
