#pragma once

#ifdef HYBRID_LOCAL_LLAMA

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

// exit() frees the library's static tables while other threads go on. One that is still inside the
// library then reads freed memory, and the process dies of a signal with its output unflushed. So the
// end of the process tells the calls in flight to stop, waits for them, and lets no other in.
namespace process_end {

inline std::atomic<int> calls{0};
inline std::atomic<bool> is_ending{false};
inline thread_local int depth = 0;

// Waits for the calls in flight, those of the calling thread aside.
void end_calls() noexcept;

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
  LastWord();
  ~LastWord();
  LastWord(const LastWord &) = delete;
  LastWord &operator=(const LastWord &) = delete;

 private:
  std::mutex mutex;
  std::condition_variable ended;
  bool is_over = false;
  std::thread thread;  // the last to be made: it uses the others
};

}  // namespace process_end

// Nothing thrown may reach Swift, whose frames cannot be unwound.
//
// What is registered last runs first at the exit. A call may have made static tables, which registered
// their own end: so ours is registered again when a call of a kind has ended for the first time.
template <typename Body, typename Result>
Result guarded(Result failure, Body body) noexcept {
  const process_end::Call call;
  if (!call.is_allowed) return failure;
  try {
    Result result = body();
    static const int registered = std::atexit(process_end::end_calls);
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

#endif
