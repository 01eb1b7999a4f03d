#ifndef HYBRID_SOCKET_TRAP_H
#define HYBRID_SOCKET_TRAP_H

/// How often this process, from any library in it, opened an AF_INET or AF_INET6 socket, connected
/// one, or looked a name up. Linking this target puts its `socket`, `connect` and `getaddrinfo`
/// before libc's.
struct hybrid_trap_counts {
  long sockets;
  long connects;
  long lookups;
};

struct hybrid_trap_counts hybrid_trap_counts(void);

#endif
