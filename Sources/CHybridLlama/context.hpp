#pragma once

#include "hybrid_llama.h"

#ifdef HYBRID_LOCAL_LLAMA

#include "compute_threads.hpp"

#include <llama.h>

struct hybrid_llama_context {
  llama_context *context = nullptr;
  hybrid_llama_abort abort = nullptr;
  void *user = nullptr;
  ThreadPools threads;
  llama_batch batch{};
  int32_t capacity = 0;
  int32_t outputs = 0;
  int32_t most_outputs = 0;
  int32_t sequences = 0;
  int32_t vocabulary_size = 0;

  // Free order: batch, context, then the threads that the context computed with.
  ~hybrid_llama_context() {
    if (batch.token) llama_batch_free(batch);
    if (context) llama_free(context);
  }
};

// Nothing on failure. May throw.
hybrid_llama_context *make_context(
    hybrid_llama_model *model, llama_context_params parameters, hybrid_llama_abort abort,
    void *user);

#endif
