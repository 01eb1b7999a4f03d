#include "process_end.hpp"

#ifdef HYBRID_LOCAL_LLAMA

#include <chrono>

namespace process_end {

void end_calls() noexcept {
  using namespace std::chrono;
  is_ending.store(true);
  // A decode stops within an operation, a load within a tensor; long texts take longest to tokenise.
  // One deadline for the whole end, however often this is registered.
  static const auto latest = steady_clock::now() + seconds(10);
  while (calls.load() > depth && steady_clock::now() < latest) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

LastWord::LastWord()
    : thread([this] {
        std::unique_lock lock(mutex);
        do {
          std::atexit(end_calls);
        } while (!ended.wait_for(lock, std::chrono::milliseconds(1), [this] { return is_over; }));
      }) {}

LastWord::~LastWord() {
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  ended.notify_one();
  thread.join();
}

}  // namespace process_end

#endif
