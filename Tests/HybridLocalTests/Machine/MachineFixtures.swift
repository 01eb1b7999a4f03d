import Foundation
import HybridLocal
import Testing

/// A machine of `Fixtures/machines`, written down as text.
func fixtureMachine(_ name: String) throws -> MachineTree {
  let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/machines/\(name).txt")
  let text = try String(contentsOf: file, encoding: .utf8)
  return try #require(MachineTree(parsing: text), "\(name) is not a machine tree")
}

/// The names of all fixture machines.
func fixtureMachineNames() throws -> [String] {
  let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/machines")
  return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
}
