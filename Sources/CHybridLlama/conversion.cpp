#include "conversion.hpp"

#include "compute_threads.hpp"
#include "log.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <llama.h>

int32_t hybrid_llama_convert(
    const char *source, const char *target, int32_t file_type, int32_t threads,
    hybrid_llama_conversion tell, void *user) {
  return guarded(static_cast<int32_t>(HYBRID_LLAMA_EXCEPTION), [&] {
    llama_logging::last_error.clear();
    auto parameters = llama_model_quantize_default_params();
    parameters.ftype = static_cast<llama_ftype>(file_type);
    parameters.allow_requantize = true;
    // With one thread none is started.
    parameters.nthread = threads > 1 && can_start(threads - 1) ? threads : 1;
    // Rows held at once; by itself it would hold a whole tensor, as 32-bit numbers, up to 8 GiB.
    parameters.max_buf_size = size_t{256} << 20;
    Conversion conversion(tell, user);
    const auto result = llama_model_quantize(source, target, &parameters);
    if (conversion.was_stopped) return static_cast<int32_t>(HYBRID_LLAMA_STOPPED);
    return static_cast<int32_t>(result == 0 ? HYBRID_LLAMA_OK : HYBRID_LLAMA_FAILED);
  });
}

#endif
