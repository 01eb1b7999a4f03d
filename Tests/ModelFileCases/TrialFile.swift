/// A file whose fate is open: a typed error or a working model, and never the end of the process.
package struct TrialFile: Sendable {
  package let name: String
  package let make: @Sendable () -> [UInt8]

  package init(_ name: String, _ make: @escaping @Sendable () -> [UInt8]) {
    (self.name, self.make) = (name, make)
  }

  /// The small sound model, or a wider one, with something changed.
  init(
    _ name: String, width: Int = 64, feedForward: Int = 96,
    _ change: @escaping @Sendable (inout GGUFWriter) -> Void
  ) {
    self.init(name) {
      var writer = GGUFWriter.tinyModel(width: width, feedForward: feedForward)
      change(&writer)
      return writer.file()
    }
  }
}

extension TrialFile {
  /// Files with random changes anywhere in the header: most break its structure.
  package static func mutants(_ seeds: Range<UInt64>) -> [TrialFile] {
    seeds.map { seed in TrialFile("mutant \(seed)") { GGUFWriter.mutant(seed: seed) } }
  }

  /// The architectures that llama.cpp 0.5.0 knows: each reads other keys and other tensors.
  package static let architectures: [TrialFile] = architectureNames.map { name in
    TrialFile("architecture \(name)") { $0.become(name) }
  }

  private static let architectureNames = """
    llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bert modern-bert \
    nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert bloom stablelm qwen qwen2 \
    qwen2moe qwen2vl qwen3 qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe qwen4exp phi2 phi3 \
    phimoe plamo plamo2 plamo3 codeshell orion internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n \
    gemma4 gemma4-assistant gemma-embedding starcoder2 mamba mamba2 maple jamba falcon-h1 xverse \
    command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm arctic deepseek deepseek2 \
    deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe glm-dsa bitnet t5 t5encoder jais jais2 \
    nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe rwkv6 rwkv6qwen2 rwkv7 arwkv7 granite \
    granitemoe granitehybrid graniteswitch granite_swa chameleon wavtokenizer-dec plm bailingmoe \
    bailingmoe2 bailingmoe3 dots1 dots3note arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe \
    hunyuan-dense hunyuan_vl hy_v3 hy_v4 smollm3 gpt-oss lfm2 lfm2moe dream smallthinker llada llada-moe \
    seed_oss grovemoe apertus minimax-01 hrm_text minimax-m2 minimax-m3 cogvlm rnd1 pangu-embedded \
    mistral3 eagle3 dflash mistral4 paddleocr mimo2 step35 spark2_5 llama-embed maincoder kimi-linear \
    kimi-k3 glm5-next talkie mellum nanbeige qwen3tts pockettts unheard-of
    """.split(separator: " ").map(String.init)
}

extension GGUFWriter {
  /// Takes another architecture's name, in its keys too.
  package mutating func become(_ architecture: String) {
    keys = keys.map { key in
      key.name.hasPrefix("llama.")
        ? ("\(architecture).\(key.name.dropFirst(6))", key.value) : key
    }
    set("general.architecture", .string(architecture))
  }
}
