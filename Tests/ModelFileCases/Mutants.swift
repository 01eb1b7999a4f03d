private import HybridTesting

extension GGUFWriter {
  private static let tinyFile = tinyModel().file()
  private static let tinyHeaderCount = tinyModel().header().count

  /// The small model with one to four random changes in its header.
  package static func mutant(seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes = tinyFile
    let header = tinyHeaderCount
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 4..<header, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2:
        let extremes: [UInt64] = [0, 1, 1 << 31, 1 << 32, 1 << 63, .max, .max - 7]
        let value = extremes[Int.random(in: 0..<extremes.count, using: &random)]
        bytes.replaceSubrange(place..<place + 8, with: little(value))
      case 3: bytes.removeSubrange(place..<place + Int.random(in: 1...16, using: &random))
      case 4: bytes.insert(contentsOf: bytes[place..<place + 8], at: place)
      default: bytes.swapAt(place, Int.random(in: 4..<header, using: &random))
      }
    }
    return bytes
  }
}
