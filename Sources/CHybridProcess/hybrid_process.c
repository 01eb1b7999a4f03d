// What Swift cannot call: prctl takes a variable number of arguments, and the names of limits are of
// another type on each C library.
#define _GNU_SOURCE
#include "hybrid_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#ifdef __linux__
#include <sys/prctl.h>
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

int hybrid_process_close_from(posix_spawn_file_actions_t *actions, int first) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)first;
  return ENOSYS;
#endif
}
