import HybridLocal
import Testing

struct VectorTests {
  static let vectors: [(vector: [Float], normalised: [Float])] = [
    ([3, 4], [0.6, 0.8]),
    ([-3, 0, 4], [-0.6, 0, 0.8]),
    ([7], [1]),
    // No direction: nothing to divide by.
    ([0, 0, 0], [0, 0, 0]), ([-0.0, 0], [0, 0]), ([], []),
    // Squares that a Float does not hold, in either direction.
    ([3e30, 4e30], [0.6, 0.8]), ([3e-30, 4e-30], [0.6, 0.8]),
    ([.greatestFiniteMagnitude, 0], [1, 0]), ([.leastNonzeroMagnitude, 0], [1, 0]),
  ]

  @Test(arguments: vectors.indices)
  func `a vector is divided by its Euclidean length`(index: Int) {
    let (vector, expected) = Self.vectors[index]
    let found = vector.normalised()
    #expect(found.count == expected.count)
    for (one, other) in zip(found, expected) { #expect(abs(one - other) < 1e-6, "\(vector)") }
  }

  @Test func `the cosine tells the angle, whatever the lengths`() {
    func cosine(_ first: [Float], _ second: [Float]) -> Double { first.cosine(to: second) }
    #expect(abs(cosine([1, 0], [5, 0]) - 1) < 1e-12)
    #expect(abs(cosine([1, 0], [0, 2])) < 1e-12)
    #expect(abs(cosine([1, 1], [-2, -2]) + 1) < 1e-12)
    #expect(cosine([0, 0], [1, 2]) == 0)
    let embeddings = Embeddings(
      vectors: [[3, 4], [4, 3]], tokenCounts: [2, 5], model: "m", dimension: 2, pooling: .mean,
      isNormalised: false)
    #expect(abs(embeddings.similarity(0, 1) - 0.96) < 1e-12)
    #expect(embeddings.promptTokens == 7)
  }
}
