#include "model.hpp"

#include "hybrid_llama.h"
#include "log.hpp"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

hybrid_llama_model *hybrid_llama_model_load(
    const char *path, bool vocabulary_only, hybrid_llama_progress progress, void *user) {
  return guarded(static_cast<hybrid_llama_model *>(nullptr), [&] {
    llama_logging::last_error.clear();
    auto parameters = llama_model_default_params();
    parameters.vocab_only = vocabulary_only;
    parameters.n_gpu_layers = 0;
    static std::atomic<bool> is_first{true};
    std::optional<process_end::LastWord> last_word;
    if (is_first.exchange(false)) last_word.emplace();
    std::pair<hybrid_llama_progress, void *> caller{progress, user};
    parameters.progress_callback = [](float fraction, void *data) {
      const auto &[tell, user] = *static_cast<decltype(caller) *>(data);
      return !process_end::is_ending.load(std::memory_order_relaxed) && (!tell || tell(fraction, user));
    };
    parameters.progress_callback_user_data = &caller;
    std::unique_ptr<llama_model, decltype(&llama_model_free)> model(
        llama_model_load_from_file(path, parameters), llama_model_free);
    if (!model) return static_cast<hybrid_llama_model *>(nullptr);
    auto *handle = new hybrid_llama_model{model.get()};
    model.release();
    return handle;
  });
}

void hybrid_llama_model_free(hybrid_llama_model *model) {
  guarded([&] {
    llama_model_free(model->model);
    delete model;
  });
}

bool hybrid_llama_model_has_encoder(const hybrid_llama_model *model) {
  return guarded(false, [&] { return llama_model_has_encoder(model->model); });
}

bool hybrid_llama_model_has_decoder(const hybrid_llama_model *model) {
  return guarded(false, [&] { return llama_model_has_decoder(model->model); });
}

bool hybrid_llama_model_is_recurrent(const hybrid_llama_model *model) {
  return guarded(true, [&] {
    return llama_model_is_recurrent(model->model) || llama_model_is_hybrid(model->model);
  });
}

#endif
