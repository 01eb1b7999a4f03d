import HybridCore
import HybridRemote
import Testing

/// Log-probabilities of a gateway's answers.
struct LogProbTests {
  private static let sky = #"""
    {"content":[{"token":"sky","logprob":-0.25,"bytes":[115,107,121],"top_logprobs":[
      {"token":"sky","logprob":-0.25,"bytes":[115,107,121]},
      {"token":"sea","logprob":-2.5,"bytes":null},{"token":"?"}]}],"refusal":null}
    """#

  private static func told(_ alternatives: Int) -> TokenLogProb {
    let all = [
      TokenLogProb.Alternative(text: "sky", bytes: Array("sky".utf8), token: nil, logProb: -0.25),
      TokenLogProb.Alternative(text: "sea", bytes: nil, token: nil, logProb: -2.5),
    ]
    return TokenLogProb(
      text: "sky", bytes: Array("sky".utf8), token: nil, logProb: -0.25,
      alternatives: Array(all.prefix(alternatives)))
  }

  private func collected(_ topLogProbs: Int?, _ data: String...) async throws -> Collected {
    let body = data.map { "data: \($0)\n\n" }.joined()
    let transport = ClosureTransport { _, _ in .scripted(body) }
    var request = ChatRequest(prompt: "Say it.")
    request.topLogProbs = topLogProbs
    return await Collected.run(try .scripted(transport), request).collected
  }

  private func piece(_ text: String, logProbs: String) -> String {
    #"{"choices":[{"index":0,"delta":{"content":"\#(text)"},"logprobs":\#(logProbs)}]}"#
      .replacing("\n", with: " ")
  }

  @Test(arguments: [0, 1, 2, 20])
  func `come with their text, with as many alternatives as were asked for`(count: Int) async throws
  {
    let collected = try await collected(count, piece("sky", logProbs: Self.sky), "[DONE]")
    #expect(collected.text == "sky")
    #expect(collected.logProbs == [Self.told(count)])
  }

  @Test func `that nobody asked for are left out`() async throws {
    let collected = try await collected(nil, piece("sky", logProbs: Self.sky), "[DONE]")
    #expect(collected.text == "sky")
    #expect(collected.logProbs == [])
  }

  @Test(
    arguments: [
      "null", "{}", "[]", "7", #"{"content":null}"#, #"{"content":[{"token":"a"},5,null]}"#,
      #"{"content":[{"token":3,"logprob":-1}]}"#,
    ])
  func `that cannot be read take nothing from the answer`(logProbs: String) async throws {
    let collected = try await collected(2, piece("sky", logProbs: logProbs), "[DONE]")
    #expect(collected.text == "sky")
    #expect(collected.error == nil)
    #expect(collected.logProbs == [])
  }

  @Test func `bytes that are none are not told, and a server's own token number is`() async throws {
    let odd = #"{"content":[{"token":"a","id":64,"logprob":-1,"bytes":[97,256]}]}"#
    let collected = try await collected(0, piece("a", logProbs: odd), "[DONE]")
    #expect(
      collected.logProbs == [TokenLogProb(text: "a", bytes: nil, token: 64, logProb: -1)])
  }

  @Test func `of a whole completion are its choice's`() async throws {
    let body =
      #"{"choices":[{"message":{"content":"sky"},"finish_reason":"stop","logprobs":"#
      + Self.sky + "}]}"
    let transport = ClosureTransport { _, _ in .json(body) }
    let client = try GatewayClient.scripted(transport)
    let completion = try await client.chat.completions.create(ChatRequest(prompt: "x"))
    #expect(completion.choices.first?.logProbs == [Self.told(2)])
    // The same where a stream was asked for.
    var request = ChatRequest(prompt: "x")
    request.topLogProbs = 2
    #expect(await Collected.run(client, request).collected.logProbs == [Self.told(2)])
  }
}
