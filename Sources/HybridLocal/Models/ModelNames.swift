import HybridCore

extension [LocalModelInfo] {
  /// The model that a name means: the first that is called so as a whole, or else without the format
  /// of its weights. nil where there is none.
  func place(of name: String) -> Int? {
    let wanted = name.lowercased()
    let whole = firstIndex { model in
      [model.path, model.name + ".gguf", model.name].contains { $0.lowercased() == wanted }
    }
    return whole ?? firstIndex { $0.answers(to: name) }
  }
}
