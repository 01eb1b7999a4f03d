#include "context.hpp"

#include "log.hpp"
#include "model.hpp"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

hybrid_llama_context *hybrid_llama_embedding_context_create(
    hybrid_llama_model *model, uint32_t batch, uint32_t sequences, int32_t pooling,
    int32_t decode_threads, int32_t prefill_threads, int32_t flash_attention,
    hybrid_llama_abort abort, void *user) {
  return guarded(static_cast<hybrid_llama_context *>(nullptr), [&] {
    // With a reranker's pooling each output has another size, and without any there is none for a text.
    if (pooling < LLAMA_POOLING_TYPE_MEAN || pooling > LLAMA_POOLING_TYPE_LAST) {
      return static_cast<hybrid_llama_context *>(nullptr);
    }
    llama_logging::last_error.clear();
    auto parameters = llama_context_default_params();
    parameters.embeddings = true;
    parameters.pooling_type = static_cast<enum llama_pooling_type>(pooling);
    // A text that is cut between two micro-batches would be pooled over its last part alone, and a
    // model that looks ahead asserts that it is not cut.
    parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = batch;
    parameters.n_seq_max = sequences;
    // Pooling needs the output of every token.
    parameters.n_outputs_max = parameters.n_outputs_max_per_seq = batch;
    parameters.n_threads = decode_threads;
    parameters.n_threads_batch = prefill_threads;
    parameters.flash_attn_type = static_cast<llama_flash_attn_type>(flash_attention);
    // Texts take what they need of the memory; otherwise each would have an equal part of it.
    parameters.kv_unified = true;
    parameters.swa_full = true;
    return make_context(model, parameters, abort, user);
  });
}

int32_t hybrid_llama_embedding_size(const hybrid_llama_context *context) {
  return guarded(0, [&] { return llama_model_n_embd_out(llama_get_model(context->context)); });
}

const float *hybrid_llama_embedding(hybrid_llama_context *context, int32_t sequence) {
  return guarded(static_cast<const float *>(nullptr), [&] {
    if (sequence < 0 || sequence >= context->sequences) return static_cast<const float *>(nullptr);
    return static_cast<const float *>(llama_get_embeddings_seq(context->context, sequence));
  });
}

#endif
