#include "context.hpp"

#include "log.hpp"
#include "model.hpp"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <algorithm>
#include <memory>

hybrid_llama_context *make_context(
    hybrid_llama_model *model, llama_context_params parameters, hybrid_llama_abort abort,
    void *user) {
  parameters.offload_kqv = false;
  parameters.op_offload = false;

  auto handle = std::make_unique<hybrid_llama_context>();
  handle->abort = abort;
  handle->user = user;
  parameters.abort_callback = [](void *data) {
    const auto *handle = static_cast<hybrid_llama_context *>(data);
    return process_end::is_ending.load(std::memory_order_relaxed) ||
           (handle->abort && handle->abort(handle->user));
  };
  parameters.abort_callback_data = handle.get();
  handle->context = llama_init_from_model(model->model, parameters);
  if (!handle->context) return nullptr;

  // llama.h: "In some cases the requested values via llama_context_params may differ from the
  // actual values used by the context". So the batch has the size that the context reports.
  handle->capacity = static_cast<int32_t>(llama_n_batch(handle->context));
  handle->batch = llama_batch_init(handle->capacity, 0, 1);
  handle->most_outputs = static_cast<int32_t>(parameters.n_outputs_max);
  handle->sequences = static_cast<int32_t>(parameters.n_seq_max);
  handle->vocabulary_size = llama_vocab_n_tokens(llama_model_get_vocab(model->model));

  // Without a pool of its own, a context starts and ends its threads at every decode, and ggml ends
  // the process where the system refuses one. One thread that decodes needs no other.
  auto *prefill = handle->threads.pool(parameters.n_threads_batch);
  auto *decode = handle->threads.pool(parameters.n_threads);
  if (!prefill || !decode) {
    prefill = decode = handle->threads.pool(1);
    if (!decode) return nullptr;
    llama_set_n_threads(handle->context, 1, 1);
  }
  llama_attach_threadpool(handle->context, decode->pool, prefill->pool);
  return handle.release();
}

hybrid_llama_context *hybrid_llama_context_create(
    hybrid_llama_model *model, uint32_t length, uint32_t batch, uint32_t micro_batch,
    uint32_t sequences, bool shares_memory, uint32_t outputs_per_sequence, int32_t decode_threads,
    int32_t prefill_threads, int32_t flash_attention, hybrid_llama_abort abort, void *user) {
  return guarded(static_cast<hybrid_llama_context *>(nullptr), [&] {
    llama_logging::last_error.clear();
    auto parameters = llama_context_default_params();
    parameters.n_ctx = length;
    parameters.n_batch = batch;
    parameters.n_ubatch = micro_batch;
    parameters.n_seq_max = sequences;
    // Each sequence asks for the logits of one token, or one for a few; room for every token of a
    // micro-batch would be 100 MB at a vocabulary of 49,152.
    parameters.n_outputs_max = std::max(sequences, outputs_per_sequence);
    parameters.n_outputs_max_per_seq = outputs_per_sequence;
    parameters.n_threads = decode_threads;
    parameters.n_threads_batch = prefill_threads;
    parameters.flash_attn_type = static_cast<llama_flash_attn_type>(flash_attention);
    // Copying a part of a sequence asserts without it.
    parameters.kv_unified = shares_memory;
    // Otherwise a layer with a sliding window forgets what has left it. A sequence that is cut or shared
    // at an earlier place would then be continued without it, and nothing would tell.
    parameters.swa_full = true;
    return make_context(model, parameters, abort, user);
  });
}

void hybrid_llama_context_free(hybrid_llama_context *context) {
  guarded([&] { delete context; });
}

bool hybrid_llama_set_threads(hybrid_llama_context *context, int32_t count) {
  return guarded(false, [&] {
    if (count < 1 || count > GGML_MAX_N_THREADS) return false;
    auto *threads = context->threads.pool(count);
    if (!threads) return false;
    llama_attach_threadpool(context->context, threads->pool, threads->pool);
    llama_set_n_threads(context->context, count, count);
    return true;
  });
}

int32_t hybrid_llama_threads(const hybrid_llama_context *context) {
  return guarded(1, [&] { return llama_n_threads(context->context); });
}

int64_t hybrid_llama_compute_nanoseconds(const hybrid_llama_context *context) {
  const auto *threads = context->threads.last();
  return threads ? threads->nanoseconds() : -1;
}

uint32_t hybrid_llama_context_sequence_length(const hybrid_llama_context *context) {
  return guarded(0u, [&] { return llama_n_ctx_seq(context->context); });
}

uint32_t hybrid_llama_context_batch(const hybrid_llama_context *context) {
  return guarded(0u, [&] { return llama_n_batch(context->context); });
}

void hybrid_llama_batch_clear(hybrid_llama_context *context) {
  context->batch.n_tokens = 0;
  context->outputs = 0;
}

bool hybrid_llama_batch_add(
    hybrid_llama_context *context, int32_t token, int32_t position, int32_t sequence,
    bool wants_logits) {
  // Each of these is an assertion inside llama.cpp, which would end the process.
  auto &batch = context->batch;
  if (batch.n_tokens >= context->capacity || token < 0 || token >= context->vocabulary_size ||
      position < 0 || sequence < 0 || sequence >= context->sequences ||
      (wants_logits && context->outputs >= context->most_outputs)) {
    return false;
  }
  const int32_t place = batch.n_tokens++;
  batch.token[place] = token;
  batch.pos[place] = position;
  batch.n_seq_id[place] = 1;
  batch.seq_id[place][0] = sequence;
  batch.logits[place] = wants_logits;
  context->outputs += wants_logits;
  return true;
}

int32_t hybrid_llama_decode(hybrid_llama_context *context) {
  return guarded(static_cast<int32_t>(HYBRID_LLAMA_EXCEPTION), [&] {
    if (context->batch.n_tokens == 0) return -1;
    llama_logging::last_error.clear();
    const int32_t result = llama_decode(context->context, context->batch);
    // What did not compute may have left the former pool in use.
    if (result == 0) context->threads.forget_old();
    return result;
  });
}

void hybrid_llama_memory_clear(hybrid_llama_context *context) {
  guarded([&] { llama_memory_clear(llama_get_memory(context->context), false); });
}

void hybrid_llama_memory_share(
    hybrid_llama_context *context, int32_t source, int32_t target, int32_t count) {
  guarded([&] {
    if (source < 0 || target < 0 || source >= context->sequences ||
        target >= context->sequences || count <= 0) {
      return;
    }
    llama_memory_seq_cp(llama_get_memory(context->context), source, target, 0, count);
  });
}

bool hybrid_llama_memory_keep(hybrid_llama_context *context, int32_t sequence, int32_t count) {
  return guarded(false, [&] {
    if (sequence < 0 || sequence >= context->sequences) return false;
    return llama_memory_seq_rm(
        llama_get_memory(context->context), sequence, count > 0 ? count : -1, -1);
  });
}

#endif
