import Foundation

/// Where `Fixtures/bootstrap` puts what the benchmarks need.
public enum InstalledFiles {
  private static let share =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/hybridkit"

  public static let model = share + "/models/SmolLM2-135M-Instruct.Q4_1.gguf"

  /// Of llama.cpp, built by `Fixtures/bootstrap --peers`.
  public static func peer(_ name: String) -> String { share + "/peers/bin/" + name }

  /// For the tests, from `Fixtures/bootstrap --tests`.
  public static func testing(_ name: String) -> String { share + "/testing/" + name }

  /// Real models' chat templates, in order of their names.
  public static func templates() throws -> [String] {
    let folder = testing("templates")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".jinja") }.sorted().map { folder + "/" + $0 }
  }
}
