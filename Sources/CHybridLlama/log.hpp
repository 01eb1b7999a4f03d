#pragma once

#ifdef HYBRID_LOCAL_LLAMA

#include <llama.h>

#include <string>

// What llama.cpp logs, and the message that it dies with.
namespace llama_logging {

// Of the calling thread's calls.
inline thread_local std::string last_error;

// llama.h: "The logger state is global so these functions are NOT thread safe." So it is set once,
// to this function; what the function does may change at any time.
//
// Throws within llama_model_quantize alone, which catches it.
void forward(ggml_log_level level, const char *text, void *);

// GGML_ASSERT ends the process. Its message goes to the log first, and setting a callback also
// keeps ggml from starting a debugger to print a backtrace.
void forward_abort(const char *message) noexcept;

}  // namespace llama_logging

#endif
