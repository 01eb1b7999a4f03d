import Foundation

/// Where `Fixtures/bootstrap` puts what the benchmarks need.
public enum InstalledFiles {
  private static let share =
    (ProcessInfo.processInfo.environment["PREFIX"] ?? "/usr/local") + "/share/hybridkit"

  public static let model = share + "/models/SmolLM2-135M-Instruct.Q4_1.gguf"

  /// Of llama.cpp, built by `Fixtures/bootstrap --peers`.
  public static func peer(_ name: String) -> String { share + "/peers/bin/" + name }
}
