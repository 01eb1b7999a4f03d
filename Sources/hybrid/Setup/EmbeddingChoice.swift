internal import HybridCore
internal import HybridLocal

/// The model that texts are embedded with where none is named.
enum EmbeddingChoice {
  /// The only embedding model that is found; where there is none, the first model.
  ///
  /// - Throws: `modelNotFound` where none is found, and `usage` where several are, with their names.
  static func of(_ listing: ModelListing) throws(HybridError) -> ModelChoice {
    let found = listing.models.indices.filter { index in
      (try? listing.models[index].facts.get())?.use == .embedding
    }
    if found.count > 1 {
      let names = found.map { index in
        listing.isNamed(index) ? listing.models[index].name : listing.models[index].path
      }
      throw .usage(
        "\(found.count) embedding models are found, and none is named",
        nextStep: "give --local-model \(names.joined(separator: " or "))",
        details: ["models": .array(names.map { .string($0) })])
    }
    guard let model = found.first.map({ listing.models[$0] }) ?? listing.models.first else {
      throw HybridError(
        .modelNotFound, "no local model is found",
        nextStep: "see hybrid models for where to put it", side: .local)
    }
    return ModelChoice(path: model.path, source: .found(place: listing.folder(of: model) ?? ""))
  }
}

extension ModelListing {
  fileprivate func folder(of model: ModelSummary) -> String? {
    places.first { visit in visit.models.contains { $0.path == model.path } }?.place.path
  }
}
