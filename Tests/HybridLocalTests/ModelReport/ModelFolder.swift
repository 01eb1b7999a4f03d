import Foundation
import HybridLocal
import ModelFileCases

/// A folder of model files for one test, removed with the last reference.
final class ModelFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// - Returns: the file's path. What stood there is replaced by renaming, as a service should.
  @discardableResult
  func put(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(filePath: file), options: .atomic)
    return file
  }

  @discardableResult
  func put(
    _ name: String = "tiny.gguf", template: String? = "{{ messages[0].content }}",
    _ change: (inout GGUFWriter) -> Void = { _ in }
  ) throws -> String {
    var writer = GGUFWriter.tinyModel(template: template)
    change(&writer)
    return try put(name, writer.file())
  }

  /// Finds models here and nowhere else.
  var environment: [String: String] {
    [
      "PREFIX": path + "/none", "HYBRID_MODELS_DIR": path, "XDG_DATA_HOME": path + "/none",
      "XDG_CACHE_HOME": path + "/none", "LLAMA_CACHE": path + "/none",
    ]
  }

  var reader: ModelReader { ModelReader(machine: .current, environment: environment) }
}
