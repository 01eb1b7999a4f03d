#if LocalLlama
  import Foundation
  import HybridCore
  import HybridLocal
  import Testing

  /// Files of somebody else's making, as far as a loaded model is concerned. The models are tiny.
  @Suite(.serialized) struct UntrustedFileTests {
    private func executor(_ path: String) -> LocalExecutor {
      LocalExecutor(
        modelPath: path, options: .init(parallelRequests: 1, threads: 1, queueCapacity: 4))
    }

    private func request(_ prompt: String = "ab") -> ChatRequest {
      var request = ChatRequest(prompt: prompt)
      request.sampling = .greedy
      request.maxTokens = 4
      return request
    }

    @Test func `a file swapped under a loaded model changes nothing until the next load`()
      async throws
    {
      let folder = try ModelFolder()
      let path = try folder.put()
      let executor = executor(path)
      let before = try await executor.collect(request())

      // Another file, then none, stands where it was: the pages of the old one stay.
      try folder.put("tiny.gguf", Array("no model at all".utf8))
      #expect(try await executor.collect(request()).text == before.text)
      try FileManager.default.removeItem(atPath: path)
      #expect(try await executor.collect(request()).text == before.text)
      #expect(await executor.status().state == .ready)

      try await executor.unload()
      let missing = await #expect(throws: HybridError.self) {
        try await executor.collect(request())
      }
      #expect(missing?.code == .modelNotFound)
      try folder.put("tiny.gguf", Array("no model at all".utf8))
      let invalid = await #expect(throws: HybridError.self) {
        try await executor.collect(request())
      }
      #expect(invalid?.code == .modelFileInvalid)
      try folder.put { $0.set("llama.block_count", .uint32(0)) }
      let bad = await #expect(throws: HybridError.self) { try await executor.collect(request()) }
      #expect(bad?.code == .modelFileInvalid)

      try folder.put()
      #expect(try await executor.collect(request()).text == before.text)
      await executor.close()
    }

    @Test func `a file swapped between the look and the load is loaded as what it is, or refused`()
      async throws
    {
      let folder = try ModelFolder()
      let path = try folder.put()
      let executor = executor(path)
      #expect(await executor.status().state == .notLoaded)
      // The facts that are known are of the other file.
      try folder.put { $0.become("unheard-of") }
      let error = await #expect(throws: HybridError.self) {
        try await executor.collect(request())
      }
      #expect(error?.code == .modelLoadFailed)
      try folder.put()
      await executor.close()
    }

    @Test(arguments: ["big-00001-of-00002.gguf", "big-00002-of-00002.gguf"])
    func `a part of a split model is refused, with or without the others`(name: String) async throws
    {
      let folder = try ModelFolder()
      let path = try folder.put(name) { $0.set("split.count", .uint16(2)) }
      for _ in 0..<2 {
        let executor = executor(path)
        let error = await #expect(throws: HybridError.self) {
          try await executor.collect(request())
        }
        #expect(error?.code == .modelUnsupported)
        #expect(error?.details["kind"] == "splitFile")
        // The other part comes to stand beside it.
        try folder.put("big-00001-of-00002.gguf") { $0.set("split.count", .uint16(2)) }
        try folder.put("big-00002-of-00002.gguf") { $0.set("split.count", .uint16(2)) }
      }
    }

    static let hostile: [(template: String, kind: String)] = [
      ("{{ raise_exception('not this one') }}", "raised"),
      (
        "{% for i in range(99999) %}{% for j in range(99999) %}{{ j }}{% endfor %}{% endfor %}",
        "budget"
      ),
      ("{% macro m(x) %}{{ m([x]) }}{% endmacro %}{{ m(1) }}", "budget"),
      ("{{ 'a' * 1000000000 }}", "budget"),
      ("{{ messages[0].content.encode('utf-16') }}", "unsupported"),
      ("{% extends 'base' %}", "unsupported"),
      ("{{ (((((((((( }}", "syntax"),
    ]

    @Test(arguments: hostile)
    func `a hostile template in a file refuses its requests and harms nothing`(
      template: String, kind: String
    ) async throws {
      let folder = try ModelFolder()
      let executor = executor(try folder.put(template: template))
      guard case .templateRejected(_, let details) = await executor.measure(request()) else {
        Issue.record("the template was taken")
        return
      }
      #expect(details["kind"]?.string == kind)
      let error = await #expect(throws: HybridError.self) {
        try await executor.collect(request())
      }
      #expect(error?.code == .templateRejected)
      if kind == "unsupported" {
        #expect(
          error?.message.contains("encode") == true || error?.message.contains("extends") == true)
      }
      await executor.close()
    }

    @Test func `a template's special tokens that the vocabulary lacks are plain text`() async throws
    {
      let folder = try ModelFolder()
      let template = """
        {% for m in messages %}<|im_start|>{{ m.role }}
        {{ m.content }}<|im_end|>
        {% endfor %}<|im_start|>assistant

        """
      let executor = executor(try folder.put(template: template))
      // A byte a token, the beginning, and a space in front.
      let rendered = "<|im_start|>user\nab<|im_end|>\n<|im_start|>assistant\n"
      guard case .counted(let count) = await executor.measure(request()) else {
        Issue.record("the conversation was not counted")
        return
      }
      #expect(((rendered.utf8.count - 8)...(rendered.utf8.count + 4)).contains(count), "\(count)")
      #expect(try await executor.collect(request()).completion != nil)
      await executor.close()
    }
  }
#endif
