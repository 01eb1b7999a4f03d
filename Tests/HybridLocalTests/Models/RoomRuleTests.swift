import HybridCore
import HybridLocal
import Testing

struct RoomRuleTests {
  /// - Parameter idle: seconds; nil where it is in use.
  static func model(_ name: String, _ bytes: Int, idle: Double?) -> RoomRule.Member {
    RoomRule.Member(name: name, bytes: bytes, idleSince: idle.map { .origin + .seconds($0) })
  }

  struct Row: Sendable {
    var says: String
    var members: [RoomRule.Member]
    var need = 40
    var most: Int?
    var empty: Int? = 100
    var available: Int? = 100
    var verdict: RoomRule.Verdict
  }

  static let rows = [
    Row(says: "an empty room takes it", members: [], verdict: .load),
    Row(says: "two that fit stay", members: [model("a", 60, idle: 1)], verdict: .load),
    Row(
      says: "one byte too much, and the other one goes", members: [model("a", 61, idle: 1)],
      verdict: .unload(0)),
    Row(
      says: "what has not been taken yet counts all the same",
      members: [model("a", 61, idle: 1)], available: 99, verdict: .unload(0)),
    Row(
      says: "what others on the machine took counts", members: [model("a", 20, idle: 1)],
      available: 39, verdict: .unload(0)),
    Row(
      says: "the one idle longest goes first",
      members: [model("a", 40, idle: 5), model("b", 40, idle: 3), model("c", 20, idle: 4)],
      verdict: .unload(1)),
    Row(
      says: "one in use stays", members: [model("a", 40, idle: nil), model("b", 40, idle: 9)],
      verdict: .unload(1)),
    Row(
      says: "where those in use leave no room, nobody goes in vain",
      members: [model("a", 61, idle: nil), model("b", 10, idle: 1)], verdict: .busy(names: ["a"])),
    Row(
      says: "the limit counts those in use",
      members: [model("a", 1, idle: nil), model("b", 1, idle: nil)], most: 2,
      verdict: .busy(names: ["a", "b"])),
    Row(
      says: "the limit lets one idle go",
      members: [model("a", 1, idle: nil), model("b", 1, idle: 0)],
      most: 2, verdict: .unload(1)),
    Row(
      says: "below the limit all stay", members: [model("a", 1, idle: 0)], most: 2, verdict: .load),
    Row(
      says: "a machine that does not tell refuses nothing", members: [model("a", .max, idle: nil)],
      need: .max, empty: nil, available: nil, verdict: .load),
    Row(
      says: "what is too large even alone gets what there is, to be refused by the plan",
      members: [model("a", 10, idle: 1)], need: 1000, verdict: .unload(0)),
    Row(
      says: "numbers that are no sums do no harm",
      members: [model("a", .max, idle: 1), model("b", .max, idle: 2)], need: .max,
      verdict: .unload(0)),
  ]

  @Test(arguments: rows.indices)
  func `room is made by those that nobody uses, the least recent first`(index: Int) {
    let row = Self.rows[index]
    let rule = RoomRule(most: row.most, emptyBytes: row.empty)
    #expect(
      rule.verdict(need: row.need, members: row.members, available: row.available) == row.verdict,
      "\(row.says)")
  }

  @Test func `what a model could take alone is bounded by what an empty machine had`() {
    var rule = RoomRule()
    rule.measured(100, members: [])
    let loaded = [Self.model("a", 60, idle: nil)]
    // Mapped pages do not look taken.
    #expect(rule.bytesIfAlone(90, members: loaded) == 100)
    #expect(rule.bytesIfAlone(30, members: loaded) == 90)
    #expect(rule.bytesIfAlone(nil, members: loaded) == nil)
    // Memory that others gave back counts; memory that they took does once the room is empty.
    rule.measured(120, members: loaded)
    #expect(rule.emptyBytes == 120)
    rule.measured(50, members: loaded)
    #expect(rule.emptyBytes == 120)
    rule.measured(50, members: [])
    #expect(rule.emptyBytes == 50)
  }

  @Test func `making room ends, and never touches one in use`() {
    // Every set of three models, each of three sizes, idle or not.
    let idleTimes: [Double?] = [nil, 1, 2]
    let kinds = [10, 35, 60].flatMap { bytes in
      idleTimes.map { Self.model("\(bytes)", bytes, idle: $0) }
    }
    for first in kinds {
      for second in kinds {
        for third in kinds {
          var members = [first, second, third]
          let inUse = members.filter { $0.idleSince == nil }
          let rule = RoomRule(most: 3, emptyBytes: 100)
          var steps = 0
          loop: while true {
            let before = members.map(\.bytes).reduce(0, +)
            switch rule.verdict(need: 40, members: members, available: 100) {
            case .load:
              #expect(before + 40 <= 100 && members.count < 3)
              break loop
            case .unload(let place):
              let gone = members.remove(at: place)
              #expect(gone.idleSince != nil)
            case .busy(let names):
              // Then nobody has gone.
              #expect(steps == 0)
              #expect(names == inUse.map(\.name))
              break loop
            }
            steps += 1
            #expect(steps <= 3)
          }
          #expect(members.filter { $0.idleSince == nil } == inUse)
        }
      }
    }
  }
}
