import HybridCore
import HybridRouting
import Testing

struct DecisionTableTests {
  static let files = ["local-checks.txt", "remote-checks.txt", "preferences.txt", "pairs.txt"]

  @Test(arguments: files)
  func `every row of the decision tables is decided as it says`(file: String) throws {
    let rows = try DecisionRow.rows(of: file)
    #expect(rows.count > 40)
    for row in rows {
      let plan = row.policy.plan(for: row.facts)
      #expect(DecisionRow.Decision(plan) == row.expected, "\(row)")
    }
  }

  @Test func `the tables hold every check that excludes`() throws {
    let rows = try Self.files.flatMap(DecisionRow.rows)
    let tested = Set(
      rows.flatMap { row in
        [row.expected.againstLocal, row.expected.againstRemote]
          .flatMap { $0.split(separator: " ").map(String.init) }
      })
    let asked = Set(
      RoutingPolicy().plan(for: RoutingFacts()).checks.map(\.code.rawValue))
    // Until tools run locally, any tool fails `unsupportedFeature` before this check.
    #expect(asked.subtracting(tested) == ["unknownTool"])
  }
}
