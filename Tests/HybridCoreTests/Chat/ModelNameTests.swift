import HybridCore
import Testing

struct ModelNameTests {
  @Test(arguments: [
    ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-Instruct"),
    ("/a/b.c/Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Qwen2.5-7B-Instruct-Q4_K_M", "Qwen2.5-7B-Instruct"),
    ("qwen3-0.6b-Q4_K_M.gguf", "qwen3-0.6b-Q4_K_M", "qwen3-0.6b"),
    ("model_q4_0.GGUF", "model_q4_0", "model"),
    ("model.q8_0.gguf", "model.q8_0", "model"),
    ("m-IQ2_XXS.gguf", "m-IQ2_XXS", "m"),
    ("m.iq4_nl.gguf", "m.iq4_nl", "m"),
    ("m-BF16.gguf", "m-BF16", "m"),
    ("llama-3-8b-f16.gguf", "llama-3-8b-f16", "llama-3-8b"),
    ("gemma@bf16.gguf", "gemma@bf16", "gemma"),
    ("m-FP8.gguf", "m-FP8", "m"),
    // A maker's mark goes with the format.
    ("Qwen3-8B-UD-Q4_K_XL.gguf", "Qwen3-8B-UD-Q4_K_XL", "Qwen3-8B"),
    ("phi.i1-IQ2_XXS.GGUF", "phi.i1-IQ2_XXS", "phi"),
    ("Model-i1-Q4_K_M", "Model-i1-Q4_K_M", "Model"),
    ("m-MXFP4_MOE.gguf", "m-MXFP4_MOE", "m"),
    ("gpt-oss-20b-mxfp4.gguf", "gpt-oss-20b-mxfp4", "gpt-oss-20b"),
    ("m-Q4_0_8_8.gguf", "m-Q4_0_8_8", "m"),
    ("m-Q4_K_P.gguf", "m-Q4_K_P", "m"),
    ("my_q4_model_Q4_0", "my_q4_model_Q4_0", "my_q4_model"),
    // No format.
    ("Phi-3.5.gguf", "Phi-3.5", "Phi-3.5"),
    ("Qwen2.5", "Qwen2.5", "Qwen2.5"),
    ("tinyllama-1.1b.gguf", "tinyllama-1.1b", "tinyllama-1.1b"),
    ("mistral-7b-instruct-v0.3", "mistral-7b-instruct-v0.3", "mistral-7b-instruct-v0.3"),
    ("a-Q9_0.gguf", "a-Q9_0", "a-Q9_0"),
    ("a-Q16.gguf", "a-Q16", "a-Q16"),
    ("a-Quick.gguf", "a-Quick", "a-Quick"),
    ("m-Q4_.gguf", "m-Q4_", "m-Q4_"),
    ("m-F4.gguf", "m-F4", "m-F4"),
    ("m-Q.gguf", "m-Q", "m-Q"),
    // Nothing but a format is a name.
    ("Q4_0.gguf", "Q4_0", "Q4_0"),
    (".Q4_0.gguf", ".Q4_0", ".Q4_0"),
    ("", "", ""),
  ])
  func `a path gives a stem, and the stem sheds its format`(
    path: String, stem: String, base: String
  ) {
    #expect(ModelName.stem(ofPath: path) == stem)
    #expect(ModelName.base(ofStem: stem) == base)
  }

  @Test(arguments: [
    ("SmolLM2-135M-Instruct.Q4_1", true), ("smollm2-135m-instruct", true),
    ("/Models/smollm2-135m-instruct.q4_1.GGUF", true), ("SmolLM2-135M-Instruct.Q4_1.gguf", true),
    ("SmolLM2", false), ("/models/smollm2-135m-instruct", false), ("", false),
  ])
  func `a model answers to its path, its file, its name and its bare name`(
    name: String, answers: Bool
  ) {
    let model = LocalModelInfo(
      name: "SmolLM2-135M-Instruct.Q4_1", path: "/models/SmolLM2-135M-Instruct.Q4_1.gguf")
    #expect(model.answers(to: name) == answers)
  }

  @Test(
    arguments: [
      ("big-00001-of-00003.gguf", 1, 3), ("/m/big-q4_0-00002-of-00002.gguf", 2, 2),
      ("big-1-of-3.gguf", nil, nil), ("one-of-many.gguf", nil, nil), ("model.gguf", nil, nil),
    ] as [(String, Int?, Int?)])
  func `the parts of a split model are told by their names`(
    path: String, number: Int?, count: Int?
  ) {
    #expect(ModelName.partNumber(ofPath: path) == number)
    #expect(ModelName.partCount(ofPath: path) == count)
  }
}
