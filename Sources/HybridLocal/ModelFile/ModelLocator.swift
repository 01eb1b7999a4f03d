package import HybridCore

/// Finds model files by path or by name. Reads folders; writes, downloads and opens nothing.
package struct ModelLocator: Sendable {
  /// The name of the model that `Fixtures/bootstrap` puts in place.
  package static let defaultModelName = "SmolLM2-135M-Instruct"

  package let places: [ModelPlace]
  private let home: String?
  private let folders: FolderReader

  /// - Parameters:
  ///   - environment: the variables named in ``ModelPlace/all(environment:home:)``.
  ///   - home: the user's home folder.
  package init(environment: [String: String], home: String?, folders: FolderReader = .real) {
    places = ModelPlace.all(environment: environment, home: home)
    self.home = home
    self.folders = folders
  }

  /// A file that is named like a model.
  package struct Found: Sendable, Hashable {
    package let path: String
    /// Bytes.
    package let size: UInt64
    /// Where it was found; nil for a path that the caller gave.
    package let place: ModelPlace?

    /// The name to call it by.
    package var name: String { ModelName.stem(ofPath: path) }
  }

  /// A file or folder that the system does not let this process look at, or what is named like a model
  /// and is no file.
  package struct Closed: Sendable, Hashable {
    package let path: String
    package let reason: String
    /// As ``FolderReader/Refusal/isOutOfDescriptors``.
    package let isOutOfDescriptors: Bool

    /// Whether there may be models behind it.
    package let isRefused: Bool

    fileprivate init(path: String, _ refusal: FolderReader.Refusal) {
      self.path = path
      reason = refusal.reason
      isOutOfDescriptors = refusal.isOutOfDescriptors
      isRefused = true
    }

    fileprivate init(_ error: ModelFileError, path: String) {
      self.path = path
      reason = error.problem
      isOutOfDescriptors = false
      isRefused = false
    }
  }

  /// Everything that was looked at, in order.
  package struct Listing: Sendable, Hashable {
    package struct Visit: Sendable, Hashable {
      package let place: ModelPlace
      /// False where there is no such folder.
      package let isPresent: Bool
      package let models: [Found]
      /// What in it could not be looked at, the folder itself included.
      package let closed: [Closed]
    }

    package let visits: [Visit]

    /// What could not be looked at.
    package var closed: [Closed] { visits.flatMap(\.closed) }

    /// The first of it behind which there may be models.
    package var refused: Closed? { closed.first(where: \.isRefused) }

    /// - Throws: `modelLoadFailed` where this process had no descriptor left to look with: then what
    ///   was found is not what there is.
    package func mustBeWhole() throws(HybridError) {
      guard let unseen = closed.first(where: \.isOutOfDescriptors) else { return }
      throw ModelFileError(
        .outOfDescriptors, "models cannot be looked for now: too many files are open",
        path: unseen.path
      ).hybridError
    }

    /// Every model, the first of equal paths only.
    package var models: [Found] {
      var seen: Set<String> = []
      return visits.flatMap(\.models).filter { seen.insert($0.path).inserted }
    }
  }

  /// All models in all places. Later parts of split models are left out.
  package func list() -> Listing {
    Listing(
      visits: places.map { place in
        switch folders.entry(place.path) {
        case .folder: break
        case .closed(let refusal):
          let closed = Closed(path: place.path, refusal)
          return Listing.Visit(place: place, isPresent: true, models: [], closed: [closed])
        case .file, .other, .linkLoop, .brokenLink, nil:
          return Listing.Visit(place: place, isPresent: false, models: [], closed: [])
        }
        var search = Search()
        look(in: place.path, of: place, depth: place.depth, &search)
        return Listing.Visit(
          place: place, isPresent: true, models: search.models.sorted { $0.path < $1.path },
          closed: search.closed)
      })
  }

  /// The model that a path or a name means.
  ///
  /// A path is taken as it is, and so is the name of any file. Another name is compared, ignoring case,
  /// with whole stems first and then with stems without their format (`SmolLM2-135M-Instruct` finds
  /// `SmolLM2-135M-Instruct.Q4_1.gguf`); of several hits the first place's first name counts. What is
  /// no model's name, and stands there as a folder, a pipe or a bad link, is told as that.
  /// - Throws: `modelNotFound` with the places looked at and names that are near; for a path that
  ///   is a folder or no file, what ``ModelFileError`` says; as ``Listing/mustBeWhole()``.
  package func find(_ request: String) throws(HybridError) -> Found {
    let path = ModelPlace.expandingHome(request, home)
    let entry = folders.entry(path)
    if case .file(let size)? = entry { return Found(path: path, size: size, place: nil) }
    // What is written as a path is one; what is not may still be a model's name.
    let failure = ModelFileError.notAModel(entry, at: path, isPath: isPath(request))
    if isPath(request), let failure { throw failure.hybridError }

    let listing = list()
    try listing.mustBeWhole()
    let wanted = request.lowercased()
    let models = listing.models
    // Whole names before bare ones, whatever the place.
    if let exact = models.first(where: {
      [$0.name, $0.name + ".gguf"].contains { $0.lowercased() == wanted }
    }) {
      return exact
    }
    if let found = models.first(where: {
      LocalModelInfo(name: $0.name, path: $0.path).answers(to: request)
    }) {
      return found
    }
    // Something is there, and it is what was meant.
    let odd = listing.closed.first { closed in
      !closed.isRefused
        && LocalModelInfo(name: ModelName.stem(ofPath: closed.path), path: closed.path)
          .answers(to: request)
    }
    let found = odd.flatMap {
      ModelFileError.notAModel(folders.entry($0.path), at: $0.path, isPath: true)
    }
    if let failure = failure ?? found { throw failure.hybridError }
    throw notFound(request, listing)
  }

  private func isPath(_ request: String) -> Bool {
    request.isEmpty || ["/", "./", "../", "~/"].contains { request.hasPrefix($0) }
  }

  private struct Search {
    var models: [Found] = []
    var closed: [Closed] = []
    /// Entries that are yet looked at.
    var budget = 20_000

    /// Tells of what has a model's name and is no file.
    mutating func tell(_ entry: FolderReader.Entry?, _ path: String) {
      guard let error = ModelFileError.notAModel(entry, at: path, isPath: true) else { return }
      closed.append(Closed(error, path: path))
    }
  }

  private func look(
    in folder: String, of place: ModelPlace, depth: Int, _ search: inout Search
  ) {
    let names: [String]
    switch folders.names(folder) {
    case .success(let found): names = found
    case .failure(let refusal):
      search.closed.append(Closed(path: folder, refusal))
      return
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      search.budget -= 1
      guard search.budget > 0 else { return }
      // The hub keeps each file under its hash too.
      if place.owner == .huggingFace, name == "blobs" || name == "refs" { continue }
      let path = ModelPlace.joined(folder, name)
      let isNamedLikeModel = name.lowercased().hasSuffix(".gguf")
      let entry = folders.entry(path)
      switch entry {
      case .folder where depth > 0:
        let count = (search.models.count, search.closed.count)
        look(in: path, of: place, depth: depth - 1, &search)
        if isNamedLikeModel, count == (search.models.count, search.closed.count) {
          search.tell(entry, path)
        }
      case .file(let size) where isNamedLikeModel:
        // Parts after the first are no models of their own, nor are projectors of images.
        if ModelName.partNumber(ofPath: name) ?? 1 > 1 { continue }
        if name.lowercased().hasPrefix("mmproj") { continue }
        search.models.append(Found(path: path, size: size, place: place))
      case .closed(let refusal) where depth > 0 || isNamedLikeModel:
        search.closed.append(Closed(path: path, refusal))
      case .linkLoop, .brokenLink, .other, .folder:
        if isNamedLikeModel { search.tell(entry, path) }
      case .file, .closed, nil: continue
      }
    }
  }

  private func notFound(_ request: String, _ listing: Listing) -> HybridError {
    let names = Array(Set(listing.models.map { ModelName.base(ofStem: $0.name) }))
    let near = NearNames.of(request, among: names)
    let refused = listing.refused
    let step: String =
      if let first = refused {
        "Let this process read \(first.path) (\(first.reason)), or give the path of a .gguf file"
      } else if !near.isEmpty {
        "Did you mean \(near.joined(separator: " or "))? `hybrid models` lists all"
      } else if names.isEmpty {
        "Run Fixtures/bootstrap for the default model, or give the path of a .gguf file"
      } else {
        "List the models that are found with `hybrid models`, or give the path of a .gguf file"
      }
    let places = listing.visits.map { visit in
      JSONValue.object([
        "path": .string(visit.place.path), "owner": .string(visit.place.owner.rawValue),
        "present": .bool(visit.isPresent), "models": .int(visit.models.count),
        "closed": .array(visit.closed.map { .string($0.path) }),
      ])
    }
    let count = listing.visits.count { $0.isPresent }
    let shown = ModelFileError.printable(request)
    return HybridError(
      .modelNotFound,
      "no model named '\(shown)' was found; of the \(places.count) folders that are looked in, "
        + (count == 0 ? "none is there" : "\(count) \(count == 1 ? "is" : "are") there")
        + (refused == nil ? "" : ", and not all of them could be read"),
      nextStep: step,
      details: ["places": .array(places), "near": .array(near.map { .string($0) })],
      side: .local)
  }
}

extension ModelFileError {
  static let linkLoop = "this link leads back to itself"

  /// Why what stands at a path is no model file; nil for a file, and for nothing where that may be a name.
  fileprivate static func notAModel(
    _ entry: FolderReader.Entry?, at path: String, isPath: Bool
  ) -> ModelFileError? {
    switch entry {
    case .file: nil
    case .folder: ModelFileError(.directory, "this is a folder, not a file", path: path)
    case .other: ModelFileError(.notAFile, "this is not a regular file", path: path)
    case .linkLoop: ModelFileError(.linkLoop, linkLoop, path: path)
    case .brokenLink:
      ModelFileError(.missing, "this is a link to a file that is not there", path: path)
    case .closed(let refusal):
      // In a folder that cannot be searched every name looks so.
      isPath
        ? ModelFileError(.unreadable, "it cannot be looked at: \(refusal.reason)", path: path) : nil
    case nil: isPath ? ModelFileError(.missing, "there is no such file", path: path) : nil
    }
  }
}
