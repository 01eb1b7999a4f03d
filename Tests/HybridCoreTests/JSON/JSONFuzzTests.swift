import Foundation
import HybridCore
import Testing

@Suite struct JSONFuzzTests {
  @Test(arguments: 0..<8)
  func `what is written reads back the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let value = randomJSON(depth: 4, using: &random)
      for writer in [JSONWriter.compact, .pretty] {
        let bytes = writer.bytes(value)
        #expect(try JSONReader.wire.read(bytes) == value)
        #expect(try JSONReader.file.read(bytes) == value)
        #expect(try writer.bytes(JSONReader.wire.read(bytes)) == bytes)
      }
    }
  }

  /// Foundation's reader is another one by other people: where both must follow the same grammar,
  /// they must agree on what is JSON.
  @Test(arguments: 0..<8)
  func `mutated texts are accepted and refused as Foundation does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 1000 + seed)
    let alphabet = Array("[]{},:\"\\0123456789.eE+-truefalsnu \n/\u{FF}ud8".utf8) + [0xC3, 0xA9, 0]
    var accepted = 0
    for _ in 0..<300 {
      var bytes = JSONWriter.compact.bytes(randomJSON(depth: 3, using: &random))
      for _ in 0..<Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.remove(at: place)
        default: bytes.removeLast(bytes.count - place)
        }
      }
      let own = try? JSONReader(malformedText: .refused).read(bytes)
      let other = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: [.fragmentsAllowed])
      if own != nil { accepted += 1 }
      // Foundation refuses numbers beyond Double's range, which have a literal all the same.
      if own?.hasHugeNumber ?? false { continue }
      #expect((own == nil) == (other == nil), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect((80..<290).contains(accepted))
  }

  @Test(arguments: 0..<4)
  func `any bytes are read or refused at a place inside them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 2000 + seed)
    for _ in 0..<1000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        random.chance(0.7)
          ? Array("[]{}\",:\\u0dt".utf8).randomElement(using: &random) ?? 0
          : UInt8.random(in: .min ... .max, using: &random)
      }
      do {
        let document = try JSONReader.wire.readDocument(bytes)
        #expect(document.root.offset < bytes.count)
      } catch {
        #expect((0...bytes.count).contains(error.offset))
        #expect(error.line >= 1 && error.column >= 1)
        #expect(!error.description.isEmpty)
      }
    }
  }
}

extension JSONValue {
  fileprivate var hasHugeNumber: Bool {
    switch self {
    case .number(let number): number.double == nil
    case .array(let elements): elements.contains(where: \.hasHugeNumber)
    case .object(let object): object.members.contains { $0.value.hasHugeNumber }
    default: false
    }
  }
}
