#include "log.hpp"

#include "conversion.hpp"
#include "hybrid_llama.h"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

namespace llama_logging {

static std::atomic<hybrid_llama_log> hook{nullptr};

void forward(ggml_log_level level, const char *text, void *) {
  if (Conversion::current) Conversion::current->hear(text);
  guarded([&] {
    if (level == GGML_LOG_LEVEL_ERROR) last_error = text;
    if (auto log = hook.load(std::memory_order_acquire); log && level != GGML_LOG_LEVEL_NONE) {
      // A continuation has no level of its own.
      log(level == GGML_LOG_LEVEL_CONT ? GGML_LOG_LEVEL_DEBUG : level, text);
    }
  });
}

void forward_abort(const char *message) noexcept {
  forward(GGML_LOG_LEVEL_ERROR, message, nullptr);
  fputs(message, stderr);
  fputc('\n', stderr);
}

}  // namespace llama_logging

void hybrid_llama_set_log(hybrid_llama_log log) {
  llama_logging::hook.store(log, std::memory_order_release);
}

size_t hybrid_llama_take_error(char *buffer, size_t capacity) {
  return guarded(size_t{0}, [&] {
    auto &error = llama_logging::last_error;
    const size_t length = std::min(error.size(), capacity);
    std::memcpy(buffer, error.data(), length);
    error.clear();
    return length;
  });
}

#endif
