/// Text without an end that nobody wrote: words of several languages, code, numbers and white space.
struct LongText {
  private static let phrases = [
    "The queue is short as long as the work that arrives in an hour takes less than an hour. ",
    "Der Speicher wird erst frei, wenn die letzte Anfrage beendet ist.\n",
    "func area(of box: Box) -> Double {\n    return box.width * box.height\n}\n",
    "日本語の文章も時々混ざっている。", "Стоимость зависит от длины текста. ", "🙂 e\u{301}t\u{E9} ",
    "\t\"key\": [1, 2.5, null],\r\n",
    "It took 1,234.56 seconds on 2026-11-30. ", "\n\n## A heading\n\n- a point\n- another\n",
  ]

  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Text of at least so many bytes.
  mutating func next(bytes: Int) -> String {
    var text = ""
    while text.utf8.count < bytes {
      // Knuth's linear congruential generator (MMIX).
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += Self.phrases[Int((state >> 33) % UInt64(Self.phrases.count))]
    }
    return text
  }
}
