#define _GNU_SOURCE
#include "socket_trap.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdatomic.h>
#include <sys/socket.h>

static atomic_long sockets;
static atomic_long connects;
static atomic_long lookups;

static int is_internet(int family) { return family == AF_INET || family == AF_INET6; }

int socket(int family, int type, int protocol) {
  static int (*real)(int, int, int);
  if (!real) real = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  if (is_internet(family)) atomic_fetch_add(&sockets, 1);
  return real(family, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  static int (*real)(int, const struct sockaddr *, socklen_t);
  if (!real) real = (int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "connect");
  if (address && is_internet(address->sa_family)) atomic_fetch_add(&connects, 1);
  return real(fd, address, length);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
  static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  if (!real)
    real = (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(
        RTLD_NEXT, "getaddrinfo");
  atomic_fetch_add(&lookups, 1);
  return real(node, service, hints, result);
}

struct hybrid_trap_counts hybrid_trap_counts(void) {
  struct hybrid_trap_counts counts = {atomic_load(&sockets), atomic_load(&connects),
                                      atomic_load(&lookups)};
  return counts;
}
