import HybridCore
import HybridRemote
import HybridTesting
import Testing

/// The client against a real llama-server with the default model.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LlamaServerTests {
  private func short(_ prompt: String = "Name one color.", tokens: Int = 4) -> ChatRequest {
    ChatRequest(
      messages: [.user(prompt)], sampling: .greedy, maxTokens: tokens)
  }

  /// An answer that takes the server half a minute or more, were it not ended: the model cannot end it.
  private func long() -> ChatRequest {
    var request = short("Count from one to a thousand.", tokens: 4000)
    request.extraFields = ["ignore_eos": true]
    return request
  }

  @Test func `whole, streamed and by pieces say the same, with the same counts`() async throws {
    let server = try LlamaServer(context: 512)
    let client = try server.client()
    let (streamed, failure) = await Collected.run(client, short())
    #expect(failure == nil)
    #expect(!streamed.text.isEmpty)
    #expect(streamed.completion?.finishReason == .length)
    #expect(streamed.completion?.model?.isEmpty == false)
    let usage = try #require(streamed.completion?.usage)
    #expect(usage.completionTokens == 4)
    #expect(usage.counted)

    let whole = try await client.chat.completions.create(short())
    #expect(whole.choices.first?.message.content == streamed.text)
    #expect(whole.choices.first?.finishReason == .length)
    #expect(whole.usage?.promptTokens == usage.promptTokens)

    var text = ""
    var last: Usage?
    for try await chunk in try await client.chat.completions.stream(short()) {
      text += chunk.choices.first?.delta.content ?? ""
      last = chunk.usage ?? last
    }
    #expect(text == streamed.text)
    #expect(last?.completionTokens == 4)
  }

  @Test func `several choices come apart, each as its seed alone gives it`() async throws {
    let server = try LlamaServer(context: 256, parallel: 3)
    let client = try server.client()
    var request = short("Name an animal.", tokens: 6)
    request.sampling = Sampling(temperature: 1, seed: 7)
    request.choices = 3
    let (together, failure) = await Collected.run(client, request)
    #expect(failure == nil)
    #expect(together.completion?.finishReason == .length)
    #expect(together.completion?.otherFinishReasons == [.length, .length])
    #expect(together.completion?.usage?.completionTokens == 18)
    let one = short("Name an animal.", tokens: 6)
    let prompt = await Collected.run(client, one).collected.completion?.usage?.promptTokens
    #expect(together.completion?.usage?.promptTokens == prompt)

    var texts = [together.text, together.text(ofChoice: 1), together.text(ofChoice: 2)]
    #expect(Set(texts).count > 1)
    let whole = try await client.chat.completions.create(request)
    #expect(whole.choices.map(\.index) == [0, 1, 2])
    #expect(whole.choices.map(\.message.content) == texts)
    request.choices = 1
    // Alone a step is another one, and now and then so is a token.
    for seed in 7...9 as ClosedRange<UInt32> {
      request.sampling.seed = seed
      let alone = await Collected.run(client, request).collected.text
      #expect(alone.split(separator: " ").first == texts.removeFirst().split(separator: " ").first)
    }
    // It has three slots, and says so.
    request.choices = 4
    let refused = await Collected.run(client, request).failure
    #expect(refused?.code == .invalidRequest)
    #expect(refused?.gateway?.message?.contains("'n'") == true)
  }

  @Test func `a prompt that does not fit is refused with both numbers`() async throws {
    let server = try LlamaServer(context: 256)
    let client = try server.client()
    let request = short(String(repeating: "word ", count: 400))
    let (result, failure) = await Collected.run(client, request)
    #expect(result.error == .contextLength)
    #expect(failure?.details["context"]?.int == 256)
    #expect((failure?.details["prompt"]?.int ?? 0) > 400)
    #expect(failure?.message.contains("256") == true)
    #expect(failure?.attempts.count == 1)
    let error = await #expect(throws: HybridError.self) {
      try await client.chat.completions.create(request)
    }
    #expect(error?.code == .contextLength)
  }

  @Test func `a wrong field is an invalid request in the server's own words`() async throws {
    let server = try LlamaServer(context: 256)
    var request = short()
    request.extraFields = ["response_format": ["type": "no-such-format"]]
    let (result, failure) = await Collected.run(try server.client(), request)
    #expect(result.error == .invalidRequest)
    #expect(failure?.gateway?.message?.isEmpty == false)
  }

  @Test func `cancelling in mid-stream frees the server's slot`() async throws {
    let server = try LlamaServer(context: 4096)
    let client = try server.client()
    do {
      let stream = try await client.start(long(), in: ExecutionContext())
      _ = try await stream.makeAsyncIterator().next()
      #expect(try await server.isProcessing())
    }
    // The server looks at its connections between two tokens.
    while try await server.isProcessing() { await Task.yield() }
    let (result, _) = await Collected.run(client, short())
    #expect(!result.text.isEmpty)
  }

  @Test func `a server killed in mid-stream interrupts the answer`() async throws {
    let server = try LlamaServer(context: 4096)
    let client = try server.client { $0.retries.maximumTries = 1 }
    let stream = try await client.start(long(), in: ExecutionContext())
    let events = stream.makeAsyncIterator()
    guard case .text(let first) = try await events.next() else {
      Issue.record("no text")
      return
    }
    server.kill()
    let error = await #expect(throws: HybridError.self) {
      while try await events.next() != nil {}
    }
    #expect([.truncated, .connectionReset].contains(error?.code))
    #expect(error?.committed == true)
    #expect(error?.partialText?.hasPrefix(first) == true)
    // And then nobody is there.
    #expect(await Collected.run(client, short()).collected.error == .connectionRefused)
  }
}
