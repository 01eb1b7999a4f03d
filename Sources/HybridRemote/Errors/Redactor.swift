internal import HybridCore

/// A gateway's words ▶ words that may stand in an error: short, without keys, without what was asked.
///
/// Servers echo keys in their 401 texts, and prompts in their 400 texts.
struct Redactor: Sendable {
  private static let mask = "<redacted>"

  /// The values sent in headers that carry secrets.
  private let secrets: [[UInt8]]

  /// The texts of the conversation.
  private let prompts: [[UInt8]]

  init(secrets: [String] = [], prompts: [String] = []) {
    // Of a value like `Bearer KEY` the last word is the secret.
    self.secrets = secrets.flatMap {
      [$0] + ($0.split(separator: " ").last.map { [String($0)] } ?? [])
    }
    .map { Array($0.utf8) }.filter { $0.count >= 4 }
    self.prompts = prompts.map { Array($0.utf8) }.filter { !$0.isEmpty }
  }

  /// - Parameter limit: the most characters of the result; more are cut off with an ellipsis.
  func redact(_ text: String, limit: Int = 256) -> String {
    // Nothing beyond can come into the result; the work is bounded whatever the server sends.
    var bytes = Array(text.utf8.prefix(8 * limit))
    bytes = bytes.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
    let masked = masked(bytes)
    var words: [String] = []
    for word in String(decoding: masked, as: UTF8.self).split(separator: " ") {
      words.append(Self.redactWord(word))
    }
    let whole = words.joined(separator: " ")
    return whole.count > limit ? whole.prefix(limit - 1) + "…" : whole
  }

  /// Masks what was sent: keys in whole or in part, and stretches of the conversation.
  private func masked(_ bytes: [UInt8]) -> [UInt8] {
    var hidden = [Bool](repeating: false, count: bytes.count)
    for secret in secrets {
      Self.mark(bytes, in: secret, window: min(6, secret.count), &hidden)
    }
    for prompt in prompts {
      Self.mark(bytes, in: prompt, window: min(12, max(4, prompt.count)), &hidden)
    }
    Self.widen(&hidden, toWordsOf: bytes)
    var result: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if !hidden[place] {
        result.append(byte)
      } else if place == 0 || !hidden[place - 1] {
        result += Self.mask.utf8
      }
    }
    return result
  }

  /// Marks each stretch of `bytes` of at least `window` bytes that also stands in `source`.
  private static func mark(
    _ bytes: [UInt8], in source: [UInt8], window: Int, _ hidden: inout [Bool]
  ) {
    guard source.count >= window, bytes.count >= window else { return }
    // A window of up to 12 bytes is a number of its own: no two windows share one.
    let keep: UInt128 = (1 << UInt128(8 * window)) - 1
    var places: [UInt128: [Int]] = [:]
    var number: UInt128 = 0
    for (place, byte) in bytes.enumerated() {
      number = (number << 8 | UInt128(byte)) & keep
      if place + 1 >= window { places[number, default: []].append(place + 1 - window) }
    }
    number = 0
    for (place, byte) in source.enumerated() {
      number = (number << 8 | UInt128(byte)) & keep
      guard place + 1 >= window, let starts = places.removeValue(forKey: number) else { continue }
      for start in starts {
        for hit in start..<start + window { hidden[hit] = true }
      }
    }
  }

  /// Lets a word that is hidden in part be hidden whole.
  private static func widen(_ hidden: inout [Bool], toWordsOf bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      guard isKeyByte(bytes[start]) else {
        start += 1
        continue
      }
      let end = bytes[start...].firstIndex { !isKeyByte($0) } ?? bytes.count
      if hidden[start..<end].contains(true) {
        for place in start..<end { hidden[place] = true }
      }
      start = end
    }
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
