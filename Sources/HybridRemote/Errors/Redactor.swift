internal import HybridCore

/// A gateway's words ▶ words that may stand in an error: short, without keys, without what was asked.
///
/// Servers echo keys in their 401 texts and prompts in their 400 texts, and some the whole request,
/// whichever way escaped. Of what was sent no 8 letters and digits in a row come through.
struct Redactor: Sendable {
  private static let mask = "<redacted>"

  /// What is hidden of a key: any stretch of this many letters and digits.
  private static let secretWindow = 6

  /// What is hidden of a request. Shorter texts are hidden where they stand as words of their own.
  private static let textWindow = 8
  private static let shortestText = 4

  /// The values sent in headers that carry secrets.
  private let secrets: [String]

  /// The request's body; asked for only where there is something to redact.
  private let body: @Sendable () -> JSONValue?

  init(secrets: [String] = [], body: @escaping @Sendable () -> JSONValue? = { nil }) {
    // Of a value like `Bearer KEY` the last word is the secret.
    self.secrets = secrets.flatMap {
      [$0] + ($0.split(separator: " ").last.map { [String($0)] } ?? [])
    }
    self.body = body
  }

  /// - Parameter limit: the most characters of the result; more are cut off with an ellipsis.
  func redact(_ text: String, limit: Int = 256) -> String {
    var words: [String] = []
    for word in masked(text, limit: limit).split(separator: " ") {
      words.append(Self.redactWord(word))
    }
    return Self.cut(words.joined(separator: " "), limit)
  }

  /// A name that the gateway made up, which may look like a key and is none.
  func redactName(_ text: String, limit: Int) -> String {
    Self.cut(masked(text, limit: limit), limit)
  }

  /// True where nothing of what was sent stands in the text.
  func isClean(_ text: String) -> Bool {
    !hidden(Array(text.utf8)).contains(true)
  }

  private static func cut(_ text: String, _ limit: Int) -> String {
    text.count > limit ? text.prefix(limit - 1) + "…" : text
  }

  /// Masks what was sent: keys in whole or in part, and stretches of the request.
  private func masked(_ text: String, limit: Int) -> String {
    // Nothing beyond can come into the result; the work is bounded whatever the server sends.
    let bytes = text.utf8.prefix(8 * limit).map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
    let hidden = hidden(bytes)
    var result: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if !hidden[place] {
        result.append(byte)
      } else if place == 0 || !hidden[place - 1] {
        result += Self.mask.utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func hidden(_ bytes: [UInt8]) -> [Bool] {
    var finder = QuoteFinder(in: bytes)
    for secret in secrets {
      finder.find(secret, window: Self.secretWindow, shortest: Self.shortestText, wordsOnly: false)
    }
    if let body = body() {
      for text in RequestTexts.of(body) {
        finder.find(text, window: Self.textWindow, shortest: Self.shortestText, wordsOnly: true)
      }
    }
    var hidden = finder.found
    Self.widen(&hidden, toWordsOf: bytes)
    return hidden
  }

  /// Lets a word that is hidden in part be hidden whole.
  private static func widen(_ hidden: inout [Bool], toWordsOf bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      guard isWordByte(bytes[start]) else {
        start += 1
        continue
      }
      let end = bytes[start...].firstIndex { !isWordByte($0) } ?? bytes.count
      if hidden[start..<end].contains(true) {
        for place in start..<end { hidden[place] = true }
      }
      start = end
    }
  }

  /// Letters of other scripts have no bounds of their own here: no character is cut in two.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isKeyByte(byte)
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "-_*".utf8.contains(byte)
    }
  }

  /// Masks what looks like a key, and cuts queries off URLs.
  private static func redactWord(_ word: Substring) -> String {
    var word = String(word)
    if word.contains("://"), let query = word.firstIndex(of: "?") {
      word = word[..<query] + "?…"
    }
    var result = ""
    for token in tokens(word) {
      result += looksLikeKey(token) ? mask : token
    }
    return result
  }

  /// Stretches of the characters that keys are made of, and what stands between them.
  private static func tokens(_ word: String) -> [String] {
    var tokens: [String] = []
    var wasKeyCharacter: Bool?
    for character in word {
      let isKeyCharacter = character.asciiValue.map(isKeyByte) ?? false
      if isKeyCharacter == wasKeyCharacter {
        tokens[tokens.count - 1].append(character)
      } else {
        tokens.append(String(character))
      }
      wasKeyCharacter = isKeyCharacter
    }
    return tokens
  }

  /// The beginnings by which providers mark their keys.
  private static let prefixes = [
    "sk-", "sk_", "pk-", "pk_", "rk_", "gsk_", "hf_", "xai-", "AIza", "ghp_", "gho_", "ghs_",
    "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJ", "r8_", "nvapi-", "pplx-",
    "fw_", "csk-",
  ]

  private static func looksLikeKey(_ token: String) -> Bool {
    if token.utf8.count >= 8, prefixes.contains(where: token.hasPrefix) { return true }
    // Hex, base 64 and their like: long, with both letters and digits, and no word's rhythm.
    guard token.utf8.count >= 24 else { return false }
    let digits = token.lazy.filter(\.isNumber).count
    return digits >= 4 && token.contains(where: \.isLetter)
  }
}
