import HybridCore
import Testing

struct ModelNameTests {
  @Test(arguments: [
    ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-Instruct"),
    ("/a/b.c/Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Qwen2.5-7B-Instruct-Q4_K_M", "Qwen2.5-7B-Instruct"),
    ("model_q4_0.GGUF", "model_q4_0", "model"),
    ("m-IQ2_XXS.gguf", "m-IQ2_XXS", "m"),
    ("m.iq4_nl.gguf", "m.iq4_nl", "m"),
    ("m-BF16.gguf", "m-BF16", "m"),
    ("m-f16.gguf", "m-f16", "m"),
    ("m-UD-Q4_K_XL.gguf", "m-UD-Q4_K_XL", "m"),
    ("m-MXFP4_MOE.gguf", "m-MXFP4_MOE", "m"),
    ("m-Q4_0_8_8.gguf", "m-Q4_0_8_8", "m"),
    ("Phi-3.5.gguf", "Phi-3.5", "Phi-3.5"),
    ("Qwen2.5", "Qwen2.5", "Qwen2.5"),
    ("Q4_0.gguf", "Q4_0", "Q4_0"),
    ("m-Q4_.gguf", "m-Q4_", "m-Q4_"),
    ("m-F4.gguf", "m-F4", "m-F4"),
    ("m-Q.gguf", "m-Q", "m-Q"),
  ])
  func `a path gives a stem, and the stem sheds its quantisation`(
    path: String, stem: String, bare: String
  ) {
    #expect(ModelName.stem(ofPath: path) == stem)
    #expect(ModelName.withoutQuantisation(stem) == bare)
  }

  @Test(arguments: [
    ("SmolLM2-135M-Instruct.Q4_1", true), ("smollm2-135m-instruct", true),
    ("/Models/smollm2-135m-instruct.q4_1.GGUF", true), ("SmolLM2", false),
    ("SmolLM2-135M-Instruct.Q4_1.gguf", false), ("", false),
  ])
  func `a model answers to its stem, its bare stem and its path`(name: String, answers: Bool) {
    let model = LocalModelInfo(
      name: "SmolLM2-135M-Instruct.Q4_1", path: "/models/SmolLM2-135M-Instruct.Q4_1.gguf")
    #expect(model.answers(to: name) == answers)
  }
}
