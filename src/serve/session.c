/* Makes the socket of a session and serves its clients. */
#define _GNU_SOURCE /* accept4, MSG_CMSG_CLOEXEC */
#include "serve/session.h"

#include "core/paths.h"
#include "core/temporary.h"
#include "serve/server.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CLIENTS = 32, TICK_MS = 1000 };

/* ---- the socket ---- */

enum nsc_status nsc_session_name(struct sockaddr_un *out, struct nsc_error *error)
{
    const char *own = getenv("NSYSCOPE_SESSION");
    const char *folder = getenv("XDG_RUNTIME_DIR");
    struct nsc_buf path = NSC_BUF_INIT(sizeof out->sun_path);
    enum nsc_status status = NSC_OK;

    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (own && *own)
        nsc_buf_puts(&path, own);
    else if (folder && *folder)
        nsc_buf_printf(&path, "%s/nsyscope/session.sock", folder);
    else
        (void)nsc_path_home(&path, NSC_PATH_CACHE, "session.sock");
    if (!path.n || path.bytes[0] != '/' || path.n >= sizeof out->sun_path)
        status =
            nsc_fail(error, NSC_EINVAL,
                     "%s: set $NSYSCOPE_SESSION to the absolute path of a socket, at most %zu "
                     "bytes",
                     path.n ? path.bytes : "no folder for a session", sizeof out->sun_path - 1);
    else
        memcpy(out->sun_path, path.bytes, path.n + 1);
    nsc_buf_fini(&path);
    return status;
}

enum nsc_status nsc_session_listen(int *fd, struct nsc_error *error)
{
    struct sockaddr_un name;
    const struct sockaddr *address = (const struct sockaddr *)&name;
    struct stat info;

    if (nsc_session_name(&name, error) != NSC_OK ||
        nsc_file_folders(name.sun_path, error) != NSC_OK)
        return error->status;
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connect(*fd, address, sizeof name) == 0 || errno == EAGAIN)
        return nsc_fail(error, NSC_EINVAL, "%s: a session answers there already", name.sun_path);
    if (errno == ECONNREFUSED && lstat(name.sun_path, &info) == 0 && S_ISSOCK(info.st_mode))
        (void)unlink(name.sun_path); /* left by a session that was killed */
    if (bind(*fd, address, sizeof name) != 0 || chmod(name.sun_path, 0600) != 0 ||
        listen(*fd, MOST_CLIENTS) != 0) /* nobody can connect before */
        return nsc_fail(error, NSC_EWRITE, "%s: no socket can be made: %s", name.sun_path,
                        strerror(errno));
    (void)nsc_temporary_add(name.sun_path);
    return NSC_OK;
}

/* ---- clients ---- */

ssize_t nsc_session_receive(struct nsc_protocol *protocol, int fd, char *piece, size_t n)
{
    union nsc_beside beside;
    struct iovec part = {piece, n};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &beside,
                             /* the system closes descriptors that do not fit */
                             .msg_controllen = CMSG_LEN(sizeof protocol->fds)};
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);

    if (got < 0 || message.msg_controllen < sizeof beside.header)
        return got;
    for (size_t i = 0; i < protocol->n_fds; i++)
        (void)close(protocol->fds[i]);
    protocol->n_fds = (unsigned)((beside.header.cmsg_len - CMSG_LEN(0)) / sizeof *protocol->fds);
    memcpy(protocol->fds, CMSG_DATA(&beside.header), protocol->n_fds * sizeof *protocol->fds);
    return got;
}

/* Signals end a client's process, and the name of the socket stays. */
static _Noreturn void serve_client(const struct nsc_serve_host *host, int listening, int client)
{
    struct nsc_argv files = {0};

    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGALRM, SIG_DFL);
    (void)close(listening);
    for (unsigned i = 0; i < host->warm->n; i++)
        nsc_argv_add_all(&files, &host->warm->at[i].files);
    nsc_serve(host, &files, client, client);
    nsc_argv_fini(&files);
    exit(EXIT_SUCCESS);
}

void nsc_session_serve(const struct nsc_serve_host *host, struct nsc_warms *warm, int fd)
{
    struct pollfd polled = {fd, POLLIN, 0};
    unsigned n = 0;

    while (poll(&polled, 1, n > 0 ? TICK_MS : host->idle) != 0 || n > 0) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        pid_t pid = -1;

        while (n > 0 && waitpid(-1, NULL, WNOHANG) > 0)
            n--;
        if (client < 0)
            continue;
        for (unsigned i = 0; i < warm->n; i++)
            (void)nsc_warm_update(&warm->at[i], host->loading, NULL);
        if (n < MOST_CLIENTS)
            pid = fork();
        if (pid == 0)
            serve_client(host, fd, client);
        n += pid > 0;
        (void)close(client);
    }
}
