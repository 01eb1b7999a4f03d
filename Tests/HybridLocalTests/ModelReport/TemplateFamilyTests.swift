import HybridLocal
import Testing

@Suite struct TemplateFamilyTests {
  static let families: [(template: String, family: TemplateFamily)] = [
    ("Qwen-Qwen3-0.6B", .chatML), ("HuggingFaceTB-SmolLM3-3B", .chatML),
    ("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", .chatML),
    ("meta-llama-Llama-3.1-8B-Instruct", .llama3),
    ("fireworks-ai-llama-3-firefunction-v2", .llama3),
    ("mistralai-Mistral-Nemo-Instruct-2407", .mistral),
    ("Mistral-Small-3.2-24B-Instruct-2506", .mistral), ("google-gemma-2-2b-it", .gemma),
    ("google-gemma-4-31B-it", .gemma4), ("microsoft-Phi-3.5-mini-instruct", .phi),
    ("CohereForAI-c4ai-command-r-plus-tool_use", .commandR),
    ("deepseek-ai-DeepSeek-V3.1", .deepSeek),
    ("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", .deepSeek),
    ("ibm-granite-granite-3.3-2B-Instruct", .granite), ("openai-gpt-oss-120b", .harmony),
    ("Kimi-K2-Instruct", .kimi), ("GLM-4.6", .glm), ("MiniMax-M2", .miniMax),
    ("ByteDance-Seed-OSS", .own), ("llama-cpp-rwkv-world", .own), ("Reka-Edge", .own),
  ]

  @Test(arguments: families)
  func `a real template is told by its marks`(template: String, family: TemplateFamily) throws {
    let sources = try TemplateFixtures.realTemplates()
    let source = try #require(sources.first { $0.name.hasPrefix(template) }).source
    #expect(TemplateFamily(template: source) == family)
  }

  @Test(
    arguments: [
      (nil, .none), ("", .none), (" \n", .none), ("{{ messages }}", .own),
      ("<|im_start|>", .chatML), ("<|im_start|>user<|im_sep|>", .phi4),
      ("[INST] <<SYS>>", .llama2), ("[INST]", .mistral), ("<|user|>\n</s>\n<|assistant|>", .zephyr),
      ("USER: {{ x }} ASSISTANT:", .vicuna), ("### Instruction:\n### Response:", .alpaca),
      ("<|header_start|>", .llama4),
    ] as [(String?, TemplateFamily)])
  func `the first family with all of its marks counts`(template: String?, family: TemplateFamily) {
    #expect(TemplateFamily(template: template) == family)
  }
}
