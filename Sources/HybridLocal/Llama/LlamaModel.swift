#if LocalLlama
  private import CHybridLlama
  package import HybridCore

  /// A model of llama.cpp's: its weights and vocabulary, or its vocabulary alone.
  ///
  /// Nothing in it changes once it is loaded, and llama.h says of tokenising "The API is
  /// thread-safe", so it may be read from several threads. Weights take their file's size in
  /// memory, a vocabulary some ten to a hundred megabytes.
  @safe package struct LlamaModel: ~Copyable, Sendable {
    package enum Part: Sendable {
      case everything
      case vocabulary
    }

    // The only owner; `deinit` is the only free. Immutable behind the pointer, as said above.
    private nonisolated(unsafe) let handle: OpaquePointer

    /// - Parameters:
    ///   - path: of a file that has passed the pre-flight: llama.cpp ends the process over some bad
    ///     headers.
    ///   - progress: told the fraction done, 0…1, on the calling thread; false stops the load.
    /// - Throws: `modelLoadFailed`, `modelUnsupported` for a model that does not generate text.
    package init(
      path: String, part: Part, progress: (Float) -> Bool = { _ in true }
    ) throws(HybridError) {
      try LlamaLibrary.start()
      let loaded = withoutActuallyEscaping(progress) { progress in
        // The call returns before `box` goes: unretained is enough.
        let box = ProgressBox(progress)
        return unsafe withExtendedLifetime(box) {
          unsafe hybrid_llama_model_load(
            path, part == .vocabulary,
            { fraction, user in
              guard let user = unsafe user else { return true }
              return unsafe Unmanaged<ProgressBox>.fromOpaque(user).takeUnretainedValue()
                .progress(fraction)
            }, Unmanaged.passUnretained(box).toOpaque())
        }
      }
      guard let loaded = unsafe loaded else {
        throw HybridError(
          .modelLoadFailed, "llama.cpp could not load the model",
          nextStep: "Check that the file is whole and of an architecture that llama.cpp "
            + "\(LlamaLibrary.version) knows",
          details: ["reason": .optional(LlamaLog.takeError())], side: .local)
      }
      guard
        unsafe hybrid_llama_has_vocabulary(loaded) && hybrid_llama_model_has_decoder(loaded)
          && !hybrid_llama_model_has_encoder(loaded)
      else {
        unsafe hybrid_llama_model_free(loaded)
        throw HybridError(
          .modelUnsupported, "the model does not generate text",
          nextStep: "Choose a decoder-only chat model", side: .local)
      }
      unsafe handle = loaded
    }

    deinit {
      unsafe hybrid_llama_model_free(handle)
    }

    /// The handle, for a context to be made from; valid as long as this model.
    borrowing func withHandle<Result: ~Copyable>(_ body: (OpaquePointer) -> Result) -> Result {
      unsafe body(handle)
    }
  }

  private final class ProgressBox {
    let progress: (Float) -> Bool

    init(_ progress: @escaping (Float) -> Bool) {
      self.progress = progress
    }
  }

  extension LlamaModel {
    /// True where a sequence's past is, in some layers, a state that cannot be cut or shared in part.
    package var isRecurrent: Bool { unsafe hybrid_llama_model_is_recurrent(handle) }
  }

  // The vocabulary.
  extension LlamaModel {
    package var tokenCount: Int { Int(unsafe hybrid_llama_token_count(handle)) }

    /// The token that starts a text; nil where the vocabulary has none.
    package var beginningToken: Token? {
      let token = unsafe hybrid_llama_beginning_token(handle)
      return token < 0 ? nil : token
    }

    /// The token that ends a text; nil where the vocabulary has none.
    package var endToken: Token? {
      let token = unsafe hybrid_llama_end_token(handle)
      return token < 0 ? nil : token
    }

    /// True where the model expects its beginning token before every text.
    package var addsBeginningToken: Bool { unsafe hybrid_llama_adds_beginning_token(handle) }

    /// True for tokens that end an answer: end of text, end of turn.
    package func endsGeneration(_ token: Token) -> Bool {
      unsafe hybrid_llama_token_ends_generation(handle, token)
    }

    package func attributes(of token: Token) -> TokenAttributes {
      TokenAttributes(rawValue: unsafe hybrid_llama_token_attributes(handle, token))
    }

    /// The token's entry in the vocabulary, as stored.
    package func text(of token: Token) -> String {
      guard let text = unsafe hybrid_llama_token_text(handle, token) else { return "" }
      return unsafe String(cString: text)
    }

    /// The bytes that a token stands for in an answer: parts of a character at times, none for
    /// control tokens.
    package func piece(of token: Token) -> [UInt8] {
      var capacity: Int32 = 32
      while true {
        var result: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
          result = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
            unsafe hybrid_llama_token_piece(handle, token, characters.baseAddress, capacity)
          }
          count = Int(max(0, result))
        }
        // llama.h: a negative number is the size needed.
        if result >= 0 { return bytes }
        capacity = -result
      }
    }

    /// The tokens of a text.
    ///
    /// - Parameters:
    ///   - addsSpecial: puts around a text that is not empty what the vocabulary says belongs there:
    ///     a beginning, an end.
    ///   - parsesSpecial: true reads control tokens' texts as those tokens. False leaves them text;
    ///     user-defined tokens are found either way.
    /// - Throws: `internal` when llama.cpp cannot tell.
    package func tokenize(
      _ text: Span<UInt8>, addsSpecial: Bool = false, parsesSpecial: Bool = false
    ) throws(HybridError) -> [Token] {
      guard let length = Int32(exactly: text.count) else { throw Self.tooLong }
      if length == 0 { return [] }
      // A token is seldom shorter than a byte; where it is, the first try tells the size.
      var capacity = length + 16
      while true {
        var result: Int32 = 0
        let tokens = unsafe [Token](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
          result = unsafe text.withUnsafeBytes { bytes in
            let characters = unsafe bytes.assumingMemoryBound(to: CChar.self)
            guard let start = characters.baseAddress else { return 0 }
            return unsafe hybrid_llama_tokenize(
              handle, start, length, buffer.baseAddress, capacity, addsSpecial, parsesSpecial)
          }
          count = Int(max(0, result))
        }
        switch result {
        case 0...: return tokens
        // llama.h: "Returns INT32_MIN on overflow"; one above it is the shim's for an exception.
        case ...(Int32.min + 1): throw Self.tooLong
        // llama.h: "the number of tokens that would have been returned", negative.
        default: capacity = -result
        }
      }
    }

    private static var tooLong: HybridError {
      HybridError(
        .internal, "llama.cpp could not tokenise the text",
        nextStep: "Report the model; a shorter text may pass", side: .local)
    }
  }
#endif
