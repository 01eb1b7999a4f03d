// What Swift cannot call: prctl takes a variable number of arguments, and the names of limits are of
// another type on each C library.
#define _GNU_SOURCE
#include "hybrid_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
// The same on every architecture, and newer than some C libraries' headers.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#endif

#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
#define HYBRID_HAS_CLOSEFROM 1
#else
#define HYBRID_HAS_CLOSEFROM 0
#endif

int hybrid_process_confine(const char *name) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
#ifdef __linux__
  // A pipe that takes core dumps heeds no limit, but this: prompts stay out of them.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
  // The program may have been started as /proc/self/exe, which tells nobody what it is.
  if (prctl(PR_SET_NAME, name, 0, 0, 0) != 0) return errno;
#else
  (void)name;
#endif
  return 0;
}

int hybrid_process_limit_memory(unsigned long long bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return errno;
  // A limit that is lower already cannot be raised, and need not be.
  if (limit.rlim_max == RLIM_INFINITY || (rlim_t)bytes < limit.rlim_max) {
    limit.rlim_max = (rlim_t)bytes;
  }
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_AS, &limit) == 0 ? 0 : errno;
}

// MARK: Descriptors

int hybrid_process_close_from(posix_spawn_file_actions_t *actions, int first) {
#if HYBRID_HAS_CLOSEFROM
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)first;
  return ENOSYS;
#endif
}

int hybrid_process_must_sweep(void) {
#if HYBRID_HAS_CLOSEFROM || defined(__APPLE__)
  return 0;
#else
  return 1;
#endif
}

// Each open descriptor from `first` on, but the walk's own; `body` returns other than 0 to end it.
static int each_descriptor(int first, int (*body)(int, void *), void *context) {
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) {
    struct rlimit limit;
    rlim_t last = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < last) last = limit.rlim_cur;
    for (int number = first; number < (int)last; number++) {
      int result = fcntl(number, F_GETFD) < 0 ? 0 : body(number, context);
      if (result != 0) return result;
    }
    return 0;
  }
  int result = 0;
  struct dirent *entry;
  while (result == 0 && (entry = readdir(folder)) != NULL) {
    char *end;
    long number = strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != 0 || number < first || number == dirfd(folder)) continue;
    result = body((int)number, context);
  }
  closedir(folder);
  return result;
}

static int add_close(int number, void *actions) {
  return posix_spawn_file_actions_addclose(actions, number);
}

int hybrid_process_close_open(posix_spawn_file_actions_t *actions, int first) {
  return each_descriptor(first, add_close, actions);
}

static int close_one(int number, void *context) {
  (void)context;
  close(number);
  return 0;
}

void hybrid_process_sweep(int first, int walks) {
#ifdef __linux__
  if (!walks && syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#else
  (void)walks;
#endif
  each_descriptor(first, close_one, NULL);
}

// MARK: A child

// Not reaped, by us or by anybody else in this process.
static int is_child(pid_t child) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) == 0;
}

int hybrid_process_open_handle(pid_t child) {
#ifdef __linux__
  int handle = (int)syscall(SYS_pidfd_open, child, 0U);
  // Where the application has its children reaped for it, the child may have gone before.
  if (handle >= 0 && !is_child(child)) {
    close(handle);
    return -1;
  }
  return handle;
#else
  (void)child;
  return -1;
#endif
}

void hybrid_process_kill(int handle, pid_t child) {
#ifdef __linux__
  if (handle >= 0) {
    syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0U);
    return;
  }
#else
  (void)handle;
#endif
  if (is_child(child)) kill(child, SIGKILL);
}

int hybrid_process_is_stopped(pid_t child) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  return waitid(P_PID, (id_t)child, &information, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         information.si_pid == child && information.si_code == CLD_STOPPED;
}
