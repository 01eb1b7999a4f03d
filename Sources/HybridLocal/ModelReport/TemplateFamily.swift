/// The form in which a model's chat template writes turns, judged by marks in its text.
public struct TemplateFamily: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let chatML = TemplateFamily(rawValue: "ChatML")
  public static let llama2 = TemplateFamily(rawValue: "Llama 2")
  public static let llama3 = TemplateFamily(rawValue: "Llama 3")
  public static let llama4 = TemplateFamily(rawValue: "Llama 4")
  public static let mistral = TemplateFamily(rawValue: "Mistral")
  public static let gemma = TemplateFamily(rawValue: "Gemma")
  public static let gemma4 = TemplateFamily(rawValue: "Gemma 4")
  public static let phi = TemplateFamily(rawValue: "Phi")
  public static let phi4 = TemplateFamily(rawValue: "Phi 4")
  public static let commandR = TemplateFamily(rawValue: "Command-R")
  public static let deepSeek = TemplateFamily(rawValue: "DeepSeek")
  public static let granite = TemplateFamily(rawValue: "Granite")
  /// Of gpt-oss.
  public static let harmony = TemplateFamily(rawValue: "Harmony")
  public static let kimi = TemplateFamily(rawValue: "Kimi K2")
  public static let glm = TemplateFamily(rawValue: "GLM")
  public static let miniMax = TemplateFamily(rawValue: "MiniMax")
  public static let zephyr = TemplateFamily(rawValue: "Zephyr")
  public static let vicuna = TemplateFamily(rawValue: "Vicuna")
  public static let alpaca = TemplateFamily(rawValue: "Alpaca")
  /// A template of none of these.
  public static let own = TemplateFamily(rawValue: "own")
  /// No template, or an empty one.
  public static let none = TemplateFamily(rawValue: "none")

  /// - Parameter template: `tokenizer.chat_template`; nil for a file without.
  public init(template: String?) {
    guard let template, template.contains(where: { !$0.isWhitespace }) else {
      self = .none
      return
    }
    self =
      Self.marks.first { row in row.marks.allSatisfy { template.contains($0) } }?.family ?? .own
  }

  public var description: String { rawValue }

  /// The first row of which a template has every mark. What takes over a mark of another family (Phi 4
  /// and Kimi those of ChatML, gpt-oss those of Phi) stands before it.
  private static let marks: [(family: TemplateFamily, marks: [String])] = [
    (.kimi, ["<|im_middle|>"]),
    (.phi4, ["<|im_sep|>"]),
    (.chatML, ["<|im_start|>"]),
    (.llama3, ["<|start_header_id|>"]),
    (.llama4, ["<|header_start|>"]),
    (.llama2, ["<<SYS>>"]),
    (.commandR, ["<|START_OF_TURN_TOKEN|>"]),
    (.deepSeek, ["<｜User｜>"]),
    (.gemma, ["<start_of_turn>"]),
    (.gemma4, ["<|turn>"]),
    (.granite, ["<|start_of_role|>"]),
    (.harmony, ["<|start|>", "<|channel|>"]),
    (.glm, ["[gMASK]"]),
    (.miniMax, ["]~b]"]),
    (.mistral, ["[INST]"]),
    (.phi, ["<|user|>", "<|assistant|>", "<|end|>"]),
    (.zephyr, ["<|user|>", "<|assistant|>"]),
    (.vicuna, ["USER:", "ASSISTANT:"]),
    (.alpaca, ["### Instruction:", "### Response:"]),
  ]
}
