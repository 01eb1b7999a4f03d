/// A folder where model files are looked for. Nothing is ever written there.
package struct ModelPlace: Sendable, Hashable {
  /// Whose folder it is.
  package enum Owner: String, Sendable, CaseIterable {
    /// `$PREFIX/share/hybridkit/models`: where `Fixtures/bootstrap` puts the default model.
    case installed
    /// `HYBRID_MODELS_DIR`.
    case configured
    /// `hybridkit/models` in the user's data folder.
    case user
    /// The Hugging Face hub's cache, which llama.cpp shares.
    case huggingFace
    /// llama.cpp's own cache of before.
    case llamaCache
    case lmStudio
  }

  package let owner: Owner
  package let path: String

  /// Folders below that may hold models: LM Studio keeps `publisher/model/file`, the hub
  /// `models--org--repo/snapshots/revision/folder/file`.
  var depth: Int {
    switch owner {
    case .installed, .configured, .user: 2
    case .llamaCache: 0
    case .lmStudio: 3
    case .huggingFace: 5
    }
  }

  /// The places in the order in which they are searched.
  ///
  /// - Parameters:
  ///   - environment: PREFIX, HYBRID_MODELS_DIR, XDG_DATA_HOME, LLAMA_CACHE, HF_HUB_CACHE,
  ///     HUGGINGFACE_HUB_CACHE, HF_HOME and XDG_CACHE_HOME are looked at; blank counts as unset.
  ///   - home: the user's home folder; nil leaves out what would lie in it.
  package static func all(environment: [String: String], home: String?) -> [ModelPlace] {
    func value(_ name: String) -> String? {
      let text = (environment[name] ?? "").trimmingBlanks
      return text.isEmpty ? nil : expandingHome(String(text), home)
    }
    func inHome(_ path: String) -> String? { home.map { joined($0, path) } }

    let cache = value("XDG_CACHE_HOME") ?? inHome(".cache")
    let hub =
      value("LLAMA_CACHE") ?? value("HF_HUB_CACHE") ?? value("HUGGINGFACE_HUB_CACHE")
      ?? value("HF_HOME").map { joined($0, "hub") }
      ?? cache.map { joined($0, "huggingface/hub") }
    let data = value("XDG_DATA_HOME") ?? inHome(".local/share")
    let candidates: [(Owner, String?)] = [
      (.installed, joined(value("PREFIX") ?? "/usr/local", "share/hybridkit/models")),
      (.configured, value("HYBRID_MODELS_DIR")),
      (.user, data.map { joined($0, "hybridkit/models") }),
      (.huggingFace, hub),
      (.llamaCache, value("LLAMA_CACHE") ?? cache.map { joined($0, "llama.cpp") }),
      (.lmStudio, inHome(".lmstudio/models")),
      (.lmStudio, inHome(".cache/lm-studio/models")),
    ]
    return candidates.compactMap { owner, path in
      path.map { ModelPlace(owner: owner, path: $0) }
    }
  }

  static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// `~` and `~/…` as the shell would read them.
  static func expandingHome(_ path: String, _ home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }
}
