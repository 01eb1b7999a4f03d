#ifndef HYBRID_PROCESS_H
#define HYBRID_PROCESS_H

#include <spawn.h>

/// Takes from the calling process what a worker does not need, for good: no core dump, no gain of
/// rights by what it executes, and where the system can tell, SIGKILL once the thread that started it
/// has ended.
///
/// Returns 0, or the first call's error number.
int hybrid_process_confine(const char *_Nonnull name);

/// No more than so many bytes of address space. Returns 0 or an error number.
int hybrid_process_limit_memory(unsigned long long bytes);

/// Lets every descriptor from `first` on be closed in the process to be started. Returns 0, or an error
/// number where the C library cannot.
int hybrid_process_close_from(posix_spawn_file_actions_t *_Nonnull actions, int first);

#endif
