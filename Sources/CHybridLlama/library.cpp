#include "hybrid_llama.h"

#include "log.hpp"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <dlfcn.h>
#include <llama.h>
#include <pthread.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace {

bool has_cpu_backend() {
  return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) != nullptr;
}

// Where a distribution may put its backends: in the library's own folder or one named after ggml
// below it. Never the current directory, which ggml_backend_load_all would search too.
void load_backends_beside_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void *>(&ggml_backend_load_all_from_path), &info)) return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path library = fs::canonical(info.dli_fname, ignored).parent_path();
  if (library.empty()) return;
  auto load = [](const fs::path &folder) {
    if (!has_cpu_backend()) ggml_backend_load_all_from_path(folder.c_str());
  };
  load(library);
  load(library / "ggml");
  for (const auto &entry : fs::directory_iterator(library / "ggml", ignored)) {
    if (entry.is_directory(ignored)) load(entry.path());
  }
}

}  // namespace

int32_t hybrid_llama_start(void) {
  return guarded(static_cast<int32_t>(HYBRID_LLAMA_EXCEPTION), [] {
    llama_log_set(llama_logging::forward, nullptr);
    ggml_set_abort_callback(llama_logging::forward_abort);
    // For the uncaught-exception handler, which looks at the environment only.
    setenv("GGML_NO_BACKTRACE", "1", 0);
    if (!has_cpu_backend()) load_backends_beside_library();
    // llama_backend_init would search the current directory for backends if there were none.
    if (!has_cpu_backend()) return static_cast<int32_t>(HYBRID_LLAMA_NO_CPU_BACKEND);
    llama_backend_init();
    return static_cast<int32_t>(HYBRID_LLAMA_OK);
  });
}

const char *hybrid_llama_version(void) {
  return guarded("", [] { return llama_version(); });
}

bool hybrid_llama_layout_matches(void) {
  return guarded(false, [] {
    const auto context = llama_context_default_params();
    const auto model = llama_model_default_params();
    const auto conversion = llama_model_quantize_default_params();
    return context.yarn_ext_factor == -1.0f && context.yarn_beta_slow == -1.0f &&
           context.type_k == GGML_TYPE_F16 && context.type_v == GGML_TYPE_F16 &&
           context.abort_callback == nullptr && context.samplers == nullptr &&
           model.progress_callback == nullptr && !model.vocab_only && !model.no_alloc &&
           conversion.output_tensor_type == GGML_TYPE_COUNT && conversion.quantize_output_tensor &&
           conversion.imatrix == nullptr && conversion.prune_layers == nullptr &&
           conversion.max_buf_size > 0;
  });
}

bool hybrid_llama_has_cpu_feature(const char *name) {
  return guarded(false, [&] {
    auto *device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    if (!device) return false;
    auto *registry = ggml_backend_dev_backend_reg(device);
    auto list = reinterpret_cast<ggml_backend_get_features_t>(
        ggml_backend_reg_get_proc_address(registry, "ggml_backend_get_features"));
    if (!list) return false;
    // The list ends with one without a name.
    const auto *feature = list(registry);
    while (feature && feature->name && std::strcmp(feature->name, name) != 0) feature++;
    return feature && feature->name;
  });
}

void hybrid_llama_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void hybrid_llama_name_thread(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}

#endif
