#include "hybrid_llama.h"

#include "sampler.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <dlfcn.h>
#include <llama.h>
#include <pthread.h>
#ifdef __linux__
#include <dirent.h>
#include <time.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

// exit() frees the library's static tables while other threads go on. One that is still inside the
// library then reads freed memory, and the process dies of a signal with its output unflushed. So the
// end of the process tells the calls in flight to stop, waits for them, and lets no other in.
std::atomic<int> calls{0};
std::atomic<bool> is_ending{false};
thread_local int depth = 0;

void end_calls() noexcept {
  using namespace std::chrono;
  is_ending.store(true);
  // A decode stops within an operation, a load within a tensor; long texts take longest to tokenise.
  const auto latest = steady_clock::now() + seconds(10);
  while (calls.load() > depth && steady_clock::now() < latest) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

class Call {
 public:
  // Within another call it is that one's part.
  Call() noexcept : is_allowed((calls++, depth++ > 0) || !is_ending.load()) {}
  ~Call() {
    depth--;
    calls--;
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  const bool is_allowed;
};

// Keeps the wait for the calls registered last, within a millisecond, while a long call makes static
// tables in its course: the first that reads a vocabulary, and the first that tokenises.
class LastWord {
 public:
  LastWord()
      : thread([this] {
          std::unique_lock lock(mutex);
          do {
            std::atexit(end_calls);
          } while (!ended.wait_for(lock, std::chrono::milliseconds(1), [this] { return is_over; }));
        }) {}
  ~LastWord() {
    {
      const std::lock_guard lock(mutex);
      is_over = true;
    }
    ended.notify_one();
    thread.join();
  }
  LastWord(const LastWord &) = delete;
  LastWord &operator=(const LastWord &) = delete;

 private:
  std::mutex mutex;
  std::condition_variable ended;
  bool is_over = false;
  std::thread thread;  // the last to be made: it uses the others
};

// Nothing thrown may reach Swift, whose frames cannot be unwound.
//
// What is registered last runs first at the exit. A call may have made static tables, which registered
// their own end: so ours is registered again when a call of a kind has ended for the first time.
template <typename Body, typename Result>
Result guarded(Result failure, Body body) noexcept {
  const Call call;
  if (!call.is_allowed) return failure;
  try {
    Result result = body();
    static const int registered = std::atexit(end_calls);
    static_cast<void>(registered);
    return result;
  } catch (...) {
    return failure;
  }
}

template <typename Body>
void guarded(Body body) noexcept {
  guarded(false, [&] {
    body();
    return true;
  });
}

std::atomic<hybrid_llama_log> log_hook{nullptr};
thread_local std::string last_error;

// llama.h: "The logger state is global so these functions are NOT thread safe." So it is set once,
// to this function; what the function does may change at any time.
void forward_log(ggml_log_level level, const char *text, void *) noexcept {
  guarded([&] {
    if (level == GGML_LOG_LEVEL_ERROR) last_error = text;
    if (auto hook = log_hook.load(std::memory_order_acquire); hook && level != GGML_LOG_LEVEL_NONE) {
      // A continuation has no level of its own.
      hook(level == GGML_LOG_LEVEL_CONT ? GGML_LOG_LEVEL_DEBUG : level, text);
    }
  });
}

// GGML_ASSERT ends the process. Its message goes to the log first, and setting a callback also
// keeps ggml from starting a debugger to print a backtrace.
void forward_abort(const char *message) noexcept {
  forward_log(GGML_LOG_LEVEL_ERROR, message, nullptr);
  fputs(message, stderr);
  fputc('\n', stderr);
}

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

const llama_vocab *vocabulary(const hybrid_llama_model *model);

void *cpu_function(const char *name) {
  auto *device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (!device) return nullptr;
  return ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), name);
}

// The threads of this process that carry the calling thread's name, as compute threads do: they
// inherit it. Empty where the system does not tell.
std::vector<int32_t> namesakes() {
  std::vector<int32_t> found;
#ifdef __linux__
  const auto name_of = [](const std::string &thread) {
    std::string name(16, '\0');
    std::unique_ptr<FILE, int (*)(FILE *)> file(
        fopen(("/proc/self/task/" + thread + "/comm").c_str(), "r"), fclose);
    name.resize(file ? fread(name.data(), 1, name.size(), file.get()) : 0);
    return name;
  };
  char own[16] = {};
  pthread_getname_np(pthread_self(), own, sizeof own);
  const std::string wanted = std::string(own) + "\n";
  std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir("/proc/self/task"), closedir);
  while (const auto *entry = folder ? readdir(folder.get()) : nullptr) {
    if (const int id = atoi(entry->d_name); id > 0 && name_of(entry->d_name) == wanted) {
      found.push_back(id);
    }
  }
#endif
  return found;
}

// CPU time that a thread of this process has used, in nanoseconds; 0: the calling one. −1 where the
// system does not tell.
int64_t cpu_nanoseconds(int32_t thread) {
#ifdef __linux__
  // Linux's clock of one thread, as pthread_getcpuclockid makes it from the thread's number.
  const auto clock = static_cast<clockid_t>((~static_cast<uint32_t>(thread) << 3) | 6);
  timespec time{};
  if (clock_gettime(thread ? clock : CLOCK_THREAD_CPUTIME_ID, &time) != 0) return -1;
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
#else
  static_cast<void>(thread);
  return -1;
#endif
}

// The threads that compute beside the one that decodes.
class ComputeThreads {
 public:
  // Empty where they cannot be made.
  explicit ComputeThreads(int32_t count) : count(count) {
    auto make = reinterpret_cast<decltype(&ggml_threadpool_new)>(cpu_function("ggml_threadpool_new"));
    if (!make || !can_start(count - 1)) return;
    auto parameters = ggml_threadpool_params_default(count);
    // A thread without work spins for a while before it sleeps: ggml's default, about a sixth of a second.
    // Less spares the neighbours that after each answer, and cost a twentieth of the decoding speed
    // where there are none.
    // Two contexts may start theirs at once, under the same name.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const auto before = namesakes();
    pool = make(&parameters);
    if (!pool) return;
    for (const auto id : namesakes()) {
      if (std::find(before.begin(), before.end(), id) == before.end()) ids.push_back(id);
    }
  }
  ~ComputeThreads() {
    if (!pool) return;
    auto free = reinterpret_cast<decltype(&ggml_threadpool_free)>(cpu_function("ggml_threadpool_free"));
    if (free) free(pool);
  }
  ComputeThreads(const ComputeThreads &) = delete;
  ComputeThreads &operator=(const ComputeThreads &) = delete;

  const int32_t count;
  ggml_threadpool *pool = nullptr;

  // Theirs and the calling thread's; −1 where it is not known.
  int64_t nanoseconds() const {
    if (!pool || static_cast<int32_t>(ids.size()) != count - 1) return -1;
    int64_t sum = cpu_nanoseconds(0);
    for (const auto id : ids) {
      const int64_t own = cpu_nanoseconds(id);
      if (own < 0) return -1;
      sum += own;
    }
    return sum;
  }

 private:
  std::vector<int32_t> ids;

  // ggml ends the process when the system refuses it a thread.
  static bool can_start(int32_t count) {
    std::mutex mutex;
    std::vector<std::thread> threads;
    bool can = true;
    {
      const std::lock_guard lock(mutex);
      try {
        threads.reserve(static_cast<size_t>(count));
        for (int32_t place = 0; place < count; place++) {
          threads.emplace_back([&mutex] { const std::lock_guard wait(mutex); });
        }
      } catch (...) {
        can = false;
      }
    }
    for (auto &thread : threads) thread.join();
    return can;
  }
};

}  // namespace

struct hybrid_llama_model {
  llama_model *model;
};

struct hybrid_llama_context {
  llama_context *context = nullptr;
  hybrid_llama_abort abort = nullptr;
  void *user = nullptr;
  // For different counts, the one used last at the end.
  std::vector<std::unique_ptr<ComputeThreads>> threads;
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

  // A pool has exactly as many threads as it is used with: ggml keeps the others of a larger one
  // spinning through every second step. NULL where there is none, and none can be made.
  ComputeThreads *pool(int32_t count) {
    auto place = std::find_if(threads.begin(), threads.end(), [count](const auto &threads) {
      return threads->count == count;
    });
    if (place == threads.end()) {
      auto made = std::make_unique<ComputeThreads>(count);
      if (!made->pool) return nullptr;
      threads.push_back(std::move(made));
    } else {
      std::rotate(place, place + 1, threads.end());
    }
    return threads.back().get();
  }

  // Frees all but the pools used last: the one at work, and those that it may soon change with. Only
  // after a decode: until the next one has begun, ggml holds on to the pool of the last.
  void forget_old_pools() {
    constexpr size_t kept = 3;
    if (threads.size() > kept) threads.erase(threads.begin(), threads.end() - kept);
  }
};

namespace {

const llama_vocab *vocabulary(const hybrid_llama_model *model) {
  return llama_model_get_vocab(model->model);
}

}  // namespace

// The library

int32_t hybrid_llama_start(void) {
  return guarded(static_cast<int32_t>(HYBRID_LLAMA_EXCEPTION), [] {
    llama_log_set(forward_log, nullptr);
    ggml_set_abort_callback(forward_abort);
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
    return context.yarn_ext_factor == -1.0f && context.yarn_beta_slow == -1.0f &&
           context.type_k == GGML_TYPE_F16 && context.type_v == GGML_TYPE_F16 &&
           context.abort_callback == nullptr && context.samplers == nullptr &&
           model.progress_callback == nullptr && !model.vocab_only && !model.no_alloc;
  });
}

void hybrid_llama_set_log(hybrid_llama_log log) { log_hook.store(log, std::memory_order_release); }

size_t hybrid_llama_take_error(char *buffer, size_t capacity) {
  return guarded(size_t{0}, [&] {
    const size_t length = std::min(last_error.size(), capacity);
    std::memcpy(buffer, last_error.data(), length);
    last_error.clear();
    return length;
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

// Models

hybrid_llama_model *hybrid_llama_model_load(
    const char *path, bool vocabulary_only, hybrid_llama_progress progress, void *user) {
  return guarded(static_cast<hybrid_llama_model *>(nullptr), [&] {
    last_error.clear();
    auto parameters = llama_model_default_params();
    parameters.vocab_only = vocabulary_only;
    parameters.n_gpu_layers = 0;
    static std::atomic<bool> is_first{true};
    std::optional<LastWord> last_word;
    if (is_first.exchange(false)) last_word.emplace();
    std::pair<hybrid_llama_progress, void *> caller{progress, user};
    parameters.progress_callback = [](float fraction, void *data) {
      const auto &[tell, user] = *static_cast<decltype(caller) *>(data);
      return !is_ending.load(std::memory_order_relaxed) && (!tell || tell(fraction, user));
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

// Vocabulary

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
    int32_t capacity, bool parse_special) {
  return guarded(INT32_MIN + 1, [&] {
    static std::atomic<bool> is_first{true};
    std::optional<LastWord> last_word;
    if (is_first.exchange(false)) last_word.emplace();
    return llama_tokenize(
        vocabulary(model), text, length, tokens, capacity, false, parse_special);
  });
}

// Contexts

hybrid_llama_context *hybrid_llama_context_create(
    hybrid_llama_model *model, uint32_t length, uint32_t batch, uint32_t micro_batch,
    uint32_t sequences, bool shares_memory, uint32_t outputs_per_sequence, int32_t decode_threads,
    int32_t prefill_threads, int32_t flash_attention, hybrid_llama_abort abort, void *user) {
  return guarded(static_cast<hybrid_llama_context *>(nullptr), [&] {
    last_error.clear();
    auto parameters = llama_context_default_params();
    parameters.n_ctx = length;
    parameters.n_batch = batch;
    parameters.n_ubatch = micro_batch;
    parameters.n_seq_max = sequences;
    // Each sequence asks for the logits of one token, or one for a few; room for every token of a
    // micro-batch would be 100 MB at a vocabulary of 49,152.
    const uint32_t outputs = std::max(sequences, outputs_per_sequence);
    parameters.n_outputs_max = outputs;
    parameters.n_outputs_max_per_seq = outputs_per_sequence;
    parameters.n_threads = decode_threads;
    parameters.n_threads_batch = prefill_threads;
    parameters.flash_attn_type = static_cast<llama_flash_attn_type>(flash_attention);
    // Copying a part of a sequence asserts without it.
    parameters.kv_unified = shares_memory;
    parameters.offload_kqv = false;
    parameters.op_offload = false;

    auto handle = std::make_unique<hybrid_llama_context>();
    handle->abort = abort;
    handle->user = user;
    parameters.abort_callback = [](void *data) {
      const auto *handle = static_cast<hybrid_llama_context *>(data);
      return is_ending.load(std::memory_order_relaxed) ||
             (handle->abort && handle->abort(handle->user));
    };
    parameters.abort_callback_data = handle.get();
    handle->context = llama_init_from_model(model->model, parameters);
    if (!handle->context) return static_cast<hybrid_llama_context *>(nullptr);

    // llama.h: "In some cases the requested values via llama_context_params may differ from the
    // actual values used by the context". So the batch has the size that the context reports.
    handle->capacity = static_cast<int32_t>(llama_n_batch(handle->context));
    handle->batch = llama_batch_init(handle->capacity, 0, 1);
    handle->most_outputs = static_cast<int32_t>(outputs);
    handle->sequences = static_cast<int32_t>(sequences);
    handle->vocabulary_size = llama_vocab_n_tokens(llama_model_get_vocab(model->model));

    // Without a pool of its own, a context starts and ends its threads at every decode.
    auto *prefill = handle->pool(prefill_threads);
    auto *decode = handle->pool(decode_threads);
    if (prefill && decode) {
      llama_attach_threadpool(handle->context, decode->pool, prefill->pool);
    }
    return handle.release();
  });
}

void hybrid_llama_context_free(hybrid_llama_context *context) {
  guarded([&] { delete context; });
}

bool hybrid_llama_set_threads(hybrid_llama_context *context, int32_t count) {
  return guarded(false, [&] {
    if (count < 1 || count > GGML_MAX_N_THREADS) return false;
    auto *threads = context->pool(count);
    if (!threads) return false;
    llama_attach_threadpool(context->context, threads->pool, threads->pool);
    llama_set_n_threads(context->context, count, count);
    return true;
  });
}

int64_t hybrid_llama_compute_nanoseconds(const hybrid_llama_context *context) {
  return context->threads.empty() ? -1 : context->threads.back()->nanoseconds();
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
    last_error.clear();
    const int32_t result = llama_decode(context->context, context->batch);
    // What did not compute may have left the former pool in use.
    if (result == 0) context->forget_old_pools();
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

// Samplers

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
