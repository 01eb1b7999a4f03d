#include "hybrid_llama.h"
#include "model.hpp"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <atomic>
#include <climits>
#include <optional>

namespace {

const llama_vocab *vocabulary(const hybrid_llama_model *model) {
  return llama_model_get_vocab(model->model);
}

}  // namespace

bool hybrid_llama_has_vocabulary(const hybrid_llama_model *model) {
  return guarded(
      false, [&] { return llama_vocab_type(vocabulary(model)) != LLAMA_VOCAB_TYPE_NONE; });
}

int32_t hybrid_llama_token_count(const hybrid_llama_model *model) {
  return guarded(0, [&] { return llama_vocab_n_tokens(vocabulary(model)); });
}

int32_t hybrid_llama_token_attributes(const hybrid_llama_model *model, int32_t token) {
  return guarded(
      0, [&] { return static_cast<int>(llama_vocab_get_attr(vocabulary(model), token)); });
}

bool hybrid_llama_token_ends_generation(const hybrid_llama_model *model, int32_t token) {
  return guarded(false, [&] { return llama_vocab_is_eog(vocabulary(model), token); });
}

int32_t hybrid_llama_beginning_token(const hybrid_llama_model *model) {
  return guarded(-1, [&] { return llama_vocab_bos(vocabulary(model)); });
}

int32_t hybrid_llama_end_token(const hybrid_llama_model *model) {
  return guarded(-1, [&] { return llama_vocab_eos(vocabulary(model)); });
}

bool hybrid_llama_adds_beginning_token(const hybrid_llama_model *model) {
  return guarded(false, [&] { return llama_vocab_get_add_bos(vocabulary(model)); });
}

const char *hybrid_llama_token_text(const hybrid_llama_model *model, int32_t token) {
  return guarded(static_cast<const char *>(nullptr), [&] {
    return llama_vocab_get_text(vocabulary(model), token);
  });
}

int32_t hybrid_llama_token_piece(
    const hybrid_llama_model *model, int32_t token, char *buffer, int32_t capacity) {
  return guarded(0, [&] {
    return llama_token_to_piece(vocabulary(model), token, buffer, capacity, 0, false);
  });
}

int32_t hybrid_llama_tokenize(
    const hybrid_llama_model *model, const char *text, int32_t length, int32_t *tokens,
    int32_t capacity, bool add_special, bool parse_special) {
  return guarded(INT32_MIN + 1, [&] {
    static std::atomic<bool> is_first{true};
    std::optional<process_end::LastWord> last_word;
    if (is_first.exchange(false)) last_word.emplace();
    return llama_tokenize(
        vocabulary(model), text, length, tokens, capacity, add_special, parse_special);
  });
}

#endif
