#ifndef HYBRID_PROCESS_H
#define HYBRID_PROCESS_H

#include <spawn.h>
#include <sys/types.h>

/// Takes from the calling process what a worker does not need, for good: no core dump, no gain of
/// rights by what it executes, and where the system can tell, SIGKILL once the thread that started it
/// has ended.
///
/// Returns 0, or the first call's error number.
int hybrid_process_confine(const char *_Nonnull name);

/// No more than so many bytes of address space. Returns 0 or an error number.
int hybrid_process_limit_memory(unsigned long long bytes);

/// Lets every descriptor from `first` on be closed in the process to be started. Returns 0, or ENOSYS
/// where the C library cannot: glibc before 2.34, and musl.
int hybrid_process_close_from(posix_spawn_file_actions_t *_Nonnull actions, int first);

/// The same for those that are open now, whatever the C library. What another thread opens meanwhile
/// is for the new process to close: see `hybrid_process_sweep`.
int hybrid_process_close_open(posix_spawn_file_actions_t *_Nonnull actions, int first);

/// Whether a program that was started with `hybrid_process_close_from` has to sweep. A constant.
int hybrid_process_must_sweep(void);

/// Closes every descriptor of the calling process from `first` on. `walks`: one by one, as on a kernel
/// without close_range.
void hybrid_process_sweep(int first, int walks);

/// A descriptor that means a child for good, whoever gets its number later; -1 where the kernel has
/// none (Linux before 5.3, and other systems), and where no descriptor is left.
int hybrid_process_open_handle(pid_t child);

/// Ends a child by its handle. Without one by its number, if that is a child's still.
void hybrid_process_kill(int handle, pid_t child);

/// Whether a child that was not waited for is stopped by a signal.
int hybrid_process_is_stopped(pid_t child);

#endif
