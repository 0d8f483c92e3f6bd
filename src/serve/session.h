/*
 * A session: a process that keeps exports loaded and answers at a socket of its user. Each client has a
 * process of its own, a copy of the session, so it begins with the loaded traces and harms only itself
 * (docs/adr/0025-serving.md).
 */
#ifndef NSC_SERVE_SESSION_H
#define NSC_SERVE_SESSION_H

#include "serve/protocol.h"

#include <sys/socket.h>
#include <sys/un.h>

/* The exit status of a command line that the session leaves to its client, before it prints anything: it has
 * none of the files, or not as the options want them. */
#define NSC_SESSION_ELSEWHERE 120
/* What an exit status follows in an answer. */
#define NSC_SESSION_STATUS "\"status\":"

/* Descriptors beside the bytes of a message, as the system wants them. */
union nsc_beside {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(NSC_LINE_FDS * sizeof(int))];
};

/* The name of the socket: $NSYSCOPE_SESSION, else session.sock in $XDG_RUNTIME_DIR/nsyscope or in the cache.
 * NSC_EINVAL: it is not absolute, or too long. */
NSC_NODISCARD enum nsc_status nsc_session_name(struct sockaddr_un *out, struct nsc_error *error);
/* Makes the socket, mode 0600. Before rights are given up. NSC_EINVAL: a session answers there; NSC_EWRITE. */
NSC_NODISCARD enum nsc_status nsc_session_listen(int *fd, struct nsc_error *error);
/* Serves clients until there is none for `idle` ms, and loads again what has changed. warm: those of the
 * host. */
void nsc_session_serve(const struct nsc_serve_host *host, struct nsc_warms *warm, int fd);
/* read for a client's process: descriptors beside the bytes go to the protocol. */
ssize_t nsc_session_receive(struct nsc_protocol *protocol, int fd, char *piece, size_t n);

/* Lets the session answer a command line, without the program's name; it writes to this process's output.
 * version: as the protocol writes it. False, and nothing printed, if none of this version can. */
bool nsc_session_ask(int *status, char *const words[], const char *version);

#endif
