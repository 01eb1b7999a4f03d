import Foundation
import HybridCore
import HybridLocal
import Testing

@Suite struct ModelLocatorTests {
  /// Files with their sizes; folders follow from the paths.
  static func folders(_ files: [String]) -> FolderReader {
    FolderReader(
      entry: { path in
        if files.contains(path) { return .file(size: 7) }
        return files.contains { $0.hasPrefix(path.hasSuffix("/") ? path : path + "/") }
          ? .folder : nil
      },
      names: { folder in
        .success(
          Array(
            Set(
              files.compactMap { file in
                guard file.hasPrefix(folder + "/") else { return nil }
                return file.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
              })))
      })
  }

  static let hub = "/home/u/.cache/huggingface/hub/models--org--repo"
  static let files = [
    "/usr/local/share/hybridkit/models/SmolLM2-135M-Instruct.Q4_1.gguf",
    "/usr/local/share/hybridkit/models/readme.txt",
    "/home/u/.local/share/hybridkit/models/tuned/SmolLM2-135M-Instruct.Q8_0.gguf",
    "/home/u/.local/share/hybridkit/models/big-00001-of-00002.gguf",
    "/home/u/.local/share/hybridkit/models/big-00002-of-00002.gguf",
    "/home/u/.local/share/hybridkit/models/mmproj-big.gguf",
    hub + "/blobs/0123.gguf",
    hub + "/snapshots/abc/Qwen3-0.6B-Q4_K_M.gguf",
    hub + "/snapshots/abc/sub/Qwen3-0.6B-Q8_0.gguf",
    "/home/u/.cache/llama.cpp/org_repo_gemma-q4_0.gguf",
    "/home/u/.lmstudio/models/pub/model/phi-4-Q4_K_M.gguf",
    "/models/own.gguf",
    "/home/u/home.gguf",
  ]

  static func locator(_ environment: [String: String] = [:]) -> ModelLocator {
    ModelLocator(environment: environment, home: "/home/u", folders: folders(files))
  }

  @Test(arguments: [
    // By path.
    ("/models/own.gguf", "/models/own.gguf"),
    ("~/home.gguf", "/home/u/home.gguf"),
    // By stem, by file name, by base; ignoring case.
    ("smollm2-135m-instruct.q4_1", files[0]),
    ("SmolLM2-135M-Instruct.Q4_1.gguf", files[0]),
    ("smollm2-135m-instruct", files[0]),
    ("SmolLM2-135M-Instruct.Q8_0", files[2]),
    ("big-00001-of-00002", files[3]),
    ("qwen3-0.6b", files[7]),
    ("qwen3-0.6b-q8_0", files[8]),
    ("org_repo_gemma", files[9]),
    ("PHI-4", files[10]),
  ])
  func `a path or a name finds its file`(request: String, path: String) throws {
    #expect(try Self.locator().find(request).path == path)
  }

  @Test(arguments: ["big-00002-of-00002", "mmproj-big", "0123", "readme"])
  func `parts, projectors and other files are no models`(request: String) {
    #expect(throws: HybridError.self) { try Self.locator().find(request) }
  }

  @Test func `a name that is nowhere gets near names and the places`() throws {
    let error = try #require(throws: HybridError.self) {
      try Self.locator().find("smolm2-135m-instruct")
    }
    #expect(error.code == .modelNotFound)
    #expect(error.nextStep?.contains("SmolLM2-135M-Instruct") == true)
    guard case .array(let places) = error.details["places"] else {
      Issue.record("no places")
      return
    }
    #expect(places.count == 6)
  }

  @Test func `an empty machine is told how to get the default model`() throws {
    let locator = ModelLocator(environment: [:], home: nil, folders: Self.folders([]))
    let error = try #require(throws: HybridError.self) {
      try locator.find(ModelLocator.defaultModelName)
    }
    #expect(error.nextStep?.contains("Fixtures/bootstrap") == true)
  }

  @Test func `a folder that cannot be read is told apart from one without models`() throws {
    var folders = Self.folders(Self.files)
    let (entry, names) = (folders.entry, folders.names)
    let lmStudio = "/home/u/.lmstudio/models"
    folders.names = {
      $0 == lmStudio ? .failure(.init(reason: "Too many open files")) : names($0)
    }
    folders.entry = {
      $0 == "/home/u/.cache/llama.cpp" ? .closed(.init(reason: "Permission denied")) : entry($0)
    }
    let locator = ModelLocator(environment: [:], home: "/home/u", folders: folders)
    #expect(
      locator.list().closed.map { "\($0.path): \($0.reason)" } == [
        "/home/u/.cache/llama.cpp: Permission denied", "\(lmStudio): Too many open files",
      ])
    #expect(try locator.find("big-00001-of-00002").path == Self.files[3])
    let error = try #require(throws: HybridError.self) { try locator.find("phi-4") }
    #expect(error.code == .modelNotFound)
    #expect(error.message.contains("not all of them could be read"))
    #expect(error.nextStep?.contains("/home/u/.cache/llama.cpp (Permission denied)") == true)
    let closed = try #require(throws: HybridError.self) {
      try locator.find("/home/u/.cache/llama.cpp")
    }
    #expect(closed.message.contains("Permission denied"))
    #expect(closed.nextStep?.contains("read permission") == true)
  }

  @Test func `the system's own reason is told`() {
    guard case .failure(let refusal) = FolderReader.real.names("/dev/null") else {
      Issue.record("a device was read as a folder")
      return
    }
    #expect(refusal.reason == "Not a directory")
    #expect(FolderReader.real.entry("/dev/null/nothing") == nil)
  }

  @Test(arguments: ["/nowhere/x.gguf", "./x.gguf", "~/x.gguf"])
  func `a path that leads nowhere is not looked up as a name`(request: String) throws {
    let error = try #require(throws: HybridError.self) { try Self.locator().find(request) }
    #expect(error.code == .modelNotFound)
    #expect(error.details["places"] == nil)
  }

  /// As a shell completes it, without `./` before it.
  @Test(arguments: [
    (FolderReader.Entry.folder, ErrorCode.modelFileInvalid, "a folder"),
    (.other, .modelFileInvalid, "not a regular file"),
    (.linkLoop, .modelNotFound, "leads back to itself"),
    (.brokenLink, .modelNotFound, "a link to a file that is not there"),
  ])
  func `what stands in the folder is told as what it is, unless a model is called so`(
    entry: FolderReader.Entry, code: ErrorCode, says: String
  ) throws {
    var folders = Self.folders(Self.files)
    let plain = folders.entry
    folders.entry = { ["mine", "phi-4", "./mine"].contains($0) ? entry : plain($0) }
    let locator = ModelLocator(environment: [:], home: "/home/u", folders: folders)
    for request in ["mine", "./mine"] {
      let error = try #require(throws: HybridError.self) { try locator.find(request) }
      #expect(error.code == code)
      #expect(error.message.contains(says), "\(error.message)")
      #expect(error.details["places"] == nil)
      #expect(error.underlying is ModelFileError)
    }
    #expect(
      try locator.find("phi-4").path == "/home/u/.lmstudio/models/pub/model/phi-4-Q4_K_M.gguf")
  }

  @Test func `links without an end are told apart from nothing`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, target) in [("loop.gguf", "loop.gguf"), ("broken.gguf", "nothing")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: target)
    }
    #expect(FolderReader.real.entry(folder + "/loop.gguf") == .linkLoop)
    #expect(FolderReader.real.entry(folder + "/broken.gguf") == .brokenLink)
    #expect(FolderReader.real.entry(folder + "/nothing") == nil)
    #expect(FolderReader.real.entry(String(repeating: "n", count: 300)) == nil)
    let loop = #expect(throws: ModelFileError.self) { try GGUFHeader(path: folder + "/loop.gguf") }
    #expect(loop?.kind == .linkLoop)
    #expect(loop?.nextStep.contains("Remove the link") == true)
    let broken = #expect(throws: ModelFileError.self) {
      try GGUFHeader(path: folder + "/broken.gguf")
    }
    #expect(broken?.kind == .missing && broken?.problem.contains("a link") == true)
    let listing = ModelLocator(environment: ["HYBRID_MODELS_DIR": folder], home: nil).list()
    #expect(
      listing.closed.filter { $0.path.hasPrefix(folder) }.map(\.reason)
        == ["this is a link to a file that is not there", "this link leads back to itself"])
  }

  @Test func `a folder is refused as such`() throws {
    let error = try #require(throws: HybridError.self) { try Self.locator().find("/home/u") }
    #expect(error.code == .modelFileInvalid)
    #expect(error.nextStep?.contains("inside the folder") == true)
  }

  @Test func `the listing says what was looked at and what is there`() {
    let listing = Self.locator(["HYBRID_MODELS_DIR": "/opt/models"]).list()
    #expect(
      listing.visits.map { "\($0.place.owner) \($0.isPresent) \($0.models.count)" } == [
        "installed true 1", "configured false 0", "user true 2", "huggingFace true 2",
        "llamaCache true 1", "lmStudio true 1", "lmStudio false 0",
      ])
    #expect(listing.models.count == 7)
  }

  @Test(arguments: [
    ([:], "/home/u/.cache/huggingface/hub"),
    (["XDG_CACHE_HOME": "/c"], "/c/huggingface/hub"),
    (["HF_HOME": "/h", "XDG_CACHE_HOME": "/c"], "/h/hub"),
    (["HUGGINGFACE_HUB_CACHE": "/x", "HF_HOME": "/h"], "/x"),
    (["HF_HUB_CACHE": "~/y", "HUGGINGFACE_HUB_CACHE": "/x"], "/home/u/y"),
    (["LLAMA_CACHE": "/l", "HF_HUB_CACHE": "/y"], "/l"),
    (["LLAMA_CACHE": " ", "HF_HUB_CACHE": "/y"], "/y"),
  ])
  func `the hub's folder follows its variables`(environment: [String: String], path: String) {
    let places = ModelPlace.all(environment: environment, home: "/home/u")
    #expect(places.first { $0.owner == .huggingFace }?.path == path)
  }

  @Test func `the real file system is read through links`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let snapshot = root.appending(path: "hub/models--o--r/snapshots/s")
    let blobs = root.appending(path: "hub/models--o--r/blobs")
    for folder in [snapshot, blobs] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try Data("GGUF".utf8).write(to: blobs.appending(path: "hash"))
    try FileManager.default.createSymbolicLink(
      atPath: snapshot.appending(path: "m-Q4_0.gguf").path,
      withDestinationPath: "../../blobs/hash")
    let locator = ModelLocator(environment: ["HF_HOME": root.path], home: nil)
    let found = try locator.find("m")
    #expect(found.size == 4)
    #expect(found.place?.owner == .huggingFace)
    #expect(found.path.hasSuffix("/models--o--r/snapshots/s/m-Q4_0.gguf"))
  }

  @Test(arguments: [false, true])
  func `where no descriptor is left, what was not seen is not taken for absent`(
    isFolder: Bool
  ) throws {
    let refusal = FolderReader.Refusal(reason: "none left", isOutOfDescriptors: true)
    let locator = ModelLocator(
      environment: [:], home: "/home/user",
      folders: FolderReader(
        entry: { _ in isFolder ? .folder : .closed(refusal) }, names: { _ in .failure(refusal) }))
    for find in [{ _ = try locator.find("SmolLM2") }, { try locator.list().mustBeWhole() }] {
      let error = try #require(throws: HybridError.self) { try find() }
      #expect(error.code == .modelLoadFailed)
      #expect(error.message.contains("too many files are open"), "\(error)")
      #expect(error.nextStep?.contains("ulimit -n") == true)
    }
  }
}
