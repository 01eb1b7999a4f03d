#include "compute_threads.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <pthread.h>
#ifdef __linux__
#include <dirent.h>
#include <time.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace {

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

}  // namespace

bool can_start(int32_t count) {
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

ComputeThreads::ComputeThreads(int32_t count) : count(count) {
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

ComputeThreads::~ComputeThreads() {
  if (!pool) return;
  auto free = reinterpret_cast<decltype(&ggml_threadpool_free)>(cpu_function("ggml_threadpool_free"));
  if (free) free(pool);
}

int64_t ComputeThreads::nanoseconds() const {
  if (!pool || static_cast<int32_t>(ids.size()) != count - 1) return -1;
  int64_t sum = cpu_nanoseconds(0);
  for (const auto id : ids) {
    const int64_t own = cpu_nanoseconds(id);
    if (own < 0) return -1;
    sum += own;
  }
  return sum;
}

ComputeThreads *ThreadPools::pool(int32_t count) {
  auto place = std::find_if(
      pools.begin(), pools.end(), [count](const auto &threads) { return threads->count == count; });
  if (place == pools.end()) {
    auto made = std::make_unique<ComputeThreads>(count);
    if (!made->pool) return nullptr;
    pools.push_back(std::move(made));
  } else {
    std::rotate(place, place + 1, pools.end());
  }
  return pools.back().get();
}

void ThreadPools::forget_old() {
  constexpr size_t kept = 3;
  if (pools.size() > kept) pools.erase(pools.begin(), pools.end() - kept);
}

#endif
