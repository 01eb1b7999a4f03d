#include "context.hpp"
#include "process_end.hpp"
#include "sampler.hpp"

#ifdef HYBRID_LOCAL_LLAMA

hybrid_llama_sampler *hybrid_llama_sampler_create(
    const hybrid_llama_sampling *settings, const hybrid_llama_token_value *biases,
    size_t bias_count) {
  return guarded(static_cast<hybrid_llama_sampler *>(nullptr), [&] {
    return new hybrid_llama_sampler(*settings, biases, bias_count);
  });
}

void hybrid_llama_sampler_free(hybrid_llama_sampler *sampler) {
  guarded([&] { delete sampler; });
}

bool hybrid_llama_sampler_accept(hybrid_llama_sampler *sampler, int32_t token, bool is_answer) {
  return guarded(false, [&] {
    sampler->accept(token, is_answer);
    return true;
  });
}

int32_t hybrid_llama_sample(
    hybrid_llama_sampler *sampler, hybrid_llama_context *context, int32_t index,
    hybrid_llama_token_value *top, int32_t top_count, float *log_probability) {
  return guarded(-1, [&] {
    float *logits = llama_get_logits_ith(context->context, index);
    if (!logits) return -1;
    return sampler->sample(logits, context->vocabulary_size, top, top_count, log_probability);
  });
}

int32_t hybrid_llama_sample_logits(
    hybrid_llama_sampler *sampler, float *logits, int32_t count, hybrid_llama_token_value *top,
    int32_t top_count, float *log_probability) {
  return guarded(-1, [&] {
    if (count <= 0) return -1;
    return sampler->sample(logits, count, top, top_count, log_probability);
  });
}

const float *hybrid_llama_logits(hybrid_llama_context *context, int32_t index) {
  return guarded(static_cast<const float *>(nullptr), [&] {
    return static_cast<const float *>(llama_get_logits_ith(context->context, index));
  });
}

int32_t hybrid_llama_vocabulary_size(const hybrid_llama_context *context) {
  return context->vocabulary_size;
}

#endif
