#pragma once

#ifdef HYBRID_LOCAL_LLAMA

#include <llama.h>

#include <cstdint>
#include <memory>
#include <vector>

// Whether the system has so many threads left: ggml and llama.cpp end the process when it refuses one.
bool can_start(int32_t count);

// The threads that compute beside the one that decodes.
class ComputeThreads {
 public:
  // Empty where they cannot be made.
  explicit ComputeThreads(int32_t count);
  ~ComputeThreads();
  ComputeThreads(const ComputeThreads &) = delete;
  ComputeThreads &operator=(const ComputeThreads &) = delete;

  const int32_t count;
  ggml_threadpool *pool = nullptr;

  // CPU time of theirs and the calling thread's; −1 where it is not known.
  int64_t nanoseconds() const;

 private:
  std::vector<int32_t> ids;
};

// A context's pools for different counts.
class ThreadPools {
 public:
  // A pool has exactly as many threads as it is used with: ggml keeps the others of a larger one
  // spinning through every second step. NULL where there is none, and none can be made.
  ComputeThreads *pool(int32_t count);

  // Frees all but the pools used last: the one at work, and those that it may soon change with. Only
  // after a decode: until the next one has begun, ggml holds on to the pool of the last.
  void forget_old();

  // NULL before the first.
  const ComputeThreads *last() const { return pools.empty() ? nullptr : pools.back().get(); }

 private:
  // The one used last at the end.
  std::vector<std::unique_ptr<ComputeThreads>> pools;
};

#endif
