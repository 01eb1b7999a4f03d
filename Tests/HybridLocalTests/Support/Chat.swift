import HybridCore
import HybridLocal

/// The test model's turns, written by hand: what its template yields for one user message.
func chatML(
  _ user: String,
  system: String = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
) -> RenderedPrompt {
  RenderedPrompt(pieces: [
    .init(text: "<|im_start|>system\n", origin: .template),
    .init(text: system, origin: .template),
    .init(text: "<|im_end|>\n<|im_start|>user\n", origin: .template),
    .init(text: user, origin: .content),
    .init(text: "<|im_end|>\n<|im_start|>assistant\n", origin: .template),
  ])
}
