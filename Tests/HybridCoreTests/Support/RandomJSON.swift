import HybridCore

/// Values of every kind, nested up to `depth`.
func randomJSON(depth: Int, using random: inout SeededGenerator) -> JSONValue {
  switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
  case 0: return .null
  case 1: return .bool(random.chance(0.5))
  case 2: return .int(Int(truncatingIfNeeded: random.next()))
  case 3: return .double(Double(bitPattern: random.next()))
  case 4, 5: return .string(randomText(using: &random))
  case 6:
    return .array(
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in
        randomJSON(depth: depth - 1, using: &random)
      })
  default:
    var object = JSONObject()
    for _ in 0..<Int.random(in: 0..<25, using: &random) {
      object[randomText(using: &random)] = randomJSON(depth: depth - 1, using: &random)
    }
    return .object(object)
  }
}

/// Texts with what JSON must escape, and characters of one to four bytes.
func randomText(using random: inout SeededGenerator) -> String {
  let ranges: [ClosedRange<UInt32>] = [
    0...0x1F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x80...0x7FF, 0x2028...0x2029,
    0xE000...0xFFFF, 0x1F300...0x1F64F, 0x300...0x36F,
  ]
  var text = ""
  for _ in 0..<Int.random(in: 0..<9, using: &random) {
    let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
    if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}
