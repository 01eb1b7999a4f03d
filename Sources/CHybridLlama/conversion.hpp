#pragma once

#include "hybrid_llama.h"
#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <cstdio>
#include <exception>
#include <utility>

// llama_model_quantize can be neither watched nor stopped. But it logs a line before each tensor, from
// the thread that called it, while no other thread is at work, and it catches what derives from
// std::exception on its way out, having let go of everything.
class Conversion {
 public:
  Conversion(hybrid_llama_conversion tell, void *user)
      : tell(tell), user(user), former(std::exchange(current, this)) {}
  ~Conversion() { current = former; }
  Conversion(const Conversion &) = delete;
  Conversion &operator=(const Conversion &) = delete;

  struct Stopped : std::exception {
    const char *what() const noexcept override { return "stopped"; }
  };

  // For `[  12/ 272]` at the start of a line.
  void hear(const char *text) {
    int number = 0, all = 0;
    if (was_stopped || sscanf(text, "[%d/%d]", &number, &all) != 2) return;
    if (!process_end::is_ending.load(std::memory_order_relaxed) && (!tell || tell(number - 1, all, user))) return;
    was_stopped = true;
    throw Stopped();
  }

  bool was_stopped = false;
  // The calling thread's; NULL where it converts nothing.
  static inline thread_local Conversion *current = nullptr;

 private:
  const hybrid_llama_conversion tell;
  void *const user;
  Conversion *const former;
};

#endif
