import Foundation
import HybridCore
import HybridLocal
import ModelFileCases
import Testing

@Suite struct ModelFileHandleTests {
  private func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }

  @Test func `a path that leads nowhere, to a folder, a pipe or an empty file says so`() throws {
    try withFolder { folder in
      _ = FileManager.default.createFile(atPath: folder + "/empty.gguf", contents: Data())
      #expect(unsafe mkfifo(folder + "/pipe.gguf", 0o600) == 0)
      let cases: [(String, ModelFileError.Kind, ErrorCode)] = [
        ("/none.gguf", .missing, .modelNotFound),
        ("/empty.gguf/none.gguf", .missing, .modelNotFound),
        ("", .directory, .modelFileInvalid),
        ("/empty.gguf", .empty, .modelFileInvalid),
        ("/pipe.gguf", .notAFile, .modelFileInvalid),
      ]
      for (name, kind, code) in cases {
        let error = #expect(throws: ModelFileError.self) { try GGUFHeader(path: folder + name) }
        #expect(error?.kind == kind)
        #expect(error?.path == folder + name)
        #expect(error?.hybridError.code == code)
        #expect(error?.hybridError.message.contains(folder + name) == true)
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file without permission says so`() throws {
    try withFolder { folder in
      _ = FileManager.default.createFile(
        atPath: folder + "/secret.gguf", contents: Data("GGUF".utf8),
        attributes: [.posixPermissions: 0])
      let error = #expect(throws: ModelFileError.self) {
        try GGUFHeader(path: folder + "/secret.gguf")
      }
      #expect(error?.kind == .unreadable)
    }
  }

  @Test func `the name of a part says that the model is split`() throws {
    try withFolder { folder in
      let path = folder + "/big-00002-of-00003.gguf"
      try Data(GGUFWriter.tinyModel().file()).write(to: URL(filePath: path))
      let error = #expect(throws: ModelFileError.self) { try GGUFHeader(path: path) }
      #expect(error?.kind == .splitFile)
      #expect(error?.hybridError.code == .modelUnsupported)
    }
  }

  @Test func `a rewritten file has another identity`() throws {
    try withFolder { folder in
      let path = folder + "/model.gguf"
      try Data(GGUFWriter.tinyModel().file()).write(to: URL(filePath: path))
      let before = try ModelFileIdentity(path: path)
      #expect(try ModelFileIdentity(path: path) == before)
      try Data(GGUFWriter.tinyModel().file() + [0]).write(to: URL(filePath: path))
      #expect(try ModelFileIdentity(path: path) != before)
    }
  }

  @Test func `a file rewritten in place under its old date has another identity`() throws {
    try withFolder { folder in
      let path = folder + "/model.gguf"
      let file = GGUFWriter.tinyModel().file()
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      try Data(file).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      let before = try ModelFileIdentity(path: path)
      var after = before
      // The kernel's own dates move in steps of some milliseconds.
      for _ in 0..<500 where after == before {
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.write(contentsOf: Data(file.reversed()))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        after = try ModelFileIdentity(path: path)
      }
      #expect(after != before)
      #expect(
        (after.inode, after.size, after.modified) == (before.inode, before.size, before.modified))
    }
  }
}
