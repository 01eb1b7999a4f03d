import HybridLocal
import Testing

@Suite struct ModelNameTests {
  @Test(arguments: [
    ("/m/SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-Instruct"),
    ("qwen3-0.6b-Q4_K_M.gguf", "qwen3-0.6b-Q4_K_M", "qwen3-0.6b"),
    ("Qwen3-8B-UD-Q4_K_XL.gguf", "Qwen3-8B-UD-Q4_K_XL", "Qwen3-8B"),
    ("phi.i1-IQ2_XXS.GGUF", "phi.i1-IQ2_XXS", "phi"),
    ("gpt-oss-20b-mxfp4.gguf", "gpt-oss-20b-mxfp4", "gpt-oss-20b"),
    ("llama-3-8b-f16.gguf", "llama-3-8b-f16", "llama-3-8b"),
    ("gemma@bf16.gguf", "gemma@bf16", "gemma"),
    ("model.q8_0.gguf", "model.q8_0", "model"),
    ("tinyllama-1.1b.gguf", "tinyllama-1.1b", "tinyllama-1.1b"),
    ("Q4_0.gguf", "Q4_0", "Q4_0"),
    (".Q4_0.gguf", ".Q4_0", ".Q4_0"),
    ("mistral-7b-instruct-v0.3", "mistral-7b-instruct-v0.3", "mistral-7b-instruct-v0.3"),
    ("a-Q9_0.gguf", "a-Q9_0", "a-Q9_0"),
    ("a-Quick.gguf", "a-Quick", "a-Quick"),
    ("", "", ""),
  ])
  func `stem and base are cut from the name`(path: String, stem: String, base: String) {
    #expect(ModelName.stem(ofFile: path) == stem)
    #expect(ModelName.base(ofStem: stem) == base)
  }

  @Test(arguments: [
    ("smollm2-135m-instruct", true), ("SmolLM2-135M-Instruct", true),
    ("smollm2-135m-instruct.q4_1", true), ("SmolLM2-135M-Instruct.Q4_1.gguf", true),
    ("/m/SmolLM2-135M-Instruct.Q4_1.gguf", true), ("gpt-4o-mini", true), ("GPT-4o-Mini", true),
    ("smollm2", false), ("gpt-4o", false), ("", false), ("/m/smollm2-135m-instruct", false),
  ])
  func `a request matches the file or what it stands in for`(request: String, matches: Bool) {
    #expect(
      ModelName.matches(
        request: request, file: "/m/SmolLM2-135M-Instruct.Q4_1.gguf", standIns: ["gpt-4o-mini"])
        == matches)
  }

  @Test(
    arguments: [
      ("big-00001-of-00003.gguf", 1, 3), ("/m/big-q4_0-00002-of-00002.gguf", 2, 2),
      ("big-1-of-3.gguf", nil, nil), ("one-of-many.gguf", nil, nil), ("model.gguf", nil, nil),
    ] as [(String, Int?, Int?)])
  func `the parts of a split model are told by their names`(
    path: String, number: Int?, count: Int?
  ) {
    #expect(ModelName.partNumber(ofFile: path) == number)
    #expect(ModelName.partCount(ofFile: path) == count)
  }
}
