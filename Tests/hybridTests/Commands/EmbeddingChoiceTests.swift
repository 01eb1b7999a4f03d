import HybridCore
import Testing

@testable import HybridLocal
@testable import hybrid

/// Which model texts are embedded with where none is named.
@Suite struct EmbeddingChoiceTests {
  private static func listing(_ uses: [ModelUse?]) -> ModelListing {
    ModelListing(
      models: uses.enumerated().map { index, use in
        ModelSummary(
          name: "m\(index)", path: "/m/m\(index).gguf", size: 1,
          facts: use.map { .success(facts($0)) } ?? .failure(HybridError(.modelFileInvalid, "bad")),
          readTime: .zero)
      }, places: [])
  }

  private static func facts(_ use: ModelUse) -> ModelSummary.Facts {
    ModelSummary.Facts(
      use: use, architecture: "bert", parameterCount: 1, format: "F16", trainedContextLength: 512,
      template: .none)
  }

  @Test(
    arguments: [
      ([.chat, .embedding, .chat], 1), ([.embedding], 0), ([nil, .chat, .embedding], 2),
      // What is wrong with it is told when it is opened.
      ([.chat, nil], 0), ([nil], 0),
    ] as [([ModelUse?], Int)])
  func `the only embedding model is taken, and else the first model`(
    uses: [ModelUse?], index: Int
  ) throws {
    #expect(try EmbeddingChoice.of(Self.listing(uses)).path == "/m/m\(index).gguf")
  }

  @Test func `of several one has to be named, and they are told`() throws {
    let listing = Self.listing([.chat, .embedding, .embedding])
    let error = try #require(throws: HybridError.self) { try EmbeddingChoice.of(listing) }
    #expect(error.code == .usage)
    #expect(error.nextStep == "give --local-model m1 or m2")
  }

  @Test func `where there is no model at all that is told`() throws {
    let error = try #require(throws: HybridError.self) { try EmbeddingChoice.of(Self.listing([])) }
    #expect(error.code == .modelNotFound)
  }
}
