/* The client of a session: hands it the command line and the standard descriptors. */
#define _GNU_SOURCE /* environ */
#include "core/outfile.h"
#include "core/text.h"
#include "serve/session.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_MS = 2000 }; /* a session that is slower than this is not asked */
#define REQUEST                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{\"_meta\":{\"" NSC_MCP_META \
    "protocolVersion\":\"" NSC_MCP_STATELESS "\"}"
#define BAD "\xef\xbf\xbd" /* what JSON has in place of a byte that is no text */

/* A session of another user is none. */
static bool open_session(int fd)
{
    struct sockaddr_un name;
    struct stat info;

    return nsc_session_name(&name, NULL) == NSC_OK && lstat(name.sun_path, &info) == 0 &&
           info.st_uid == geteuid() &&
           connect(fd, (const struct sockaddr *)&name, sizeof name) == 0;
}

/* Sends the first byte with the standard descriptors and the folder beside it, then the rest. The folder stays
 * open. */
static bool send_with_descriptors(int fd, const struct nsc_buf *line)
{
    const int fds[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO,
                       open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    union nsc_beside beside = {.header = {.cmsg_len = CMSG_LEN(sizeof fds),
                                          .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS}};
    struct iovec part = {line->bytes, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &beside,
                             .msg_controllen = CMSG_LEN(sizeof fds)};

    memcpy(CMSG_DATA(&beside.header), fds, sizeof fds);
    return fds[3] >= 0 && sendmsg(fd, &message, 0) == 1 &&
           nsc_write_all(fd, line->bytes + 1, line->n - 1);
}

/* Reads the line of an answer. most: ms to wait for each part, -1 for ever. */
static bool read_line(struct nsc_buf *line, int fd, int most)
{
    struct pollfd polled = {fd, POLLIN, 0};
    char piece[4096];
    ssize_t n = 1;

    nsc_buf_clear(line);
    while (n > 0 && (!line->n || line->bytes[line->n - 1] != '\n')) {
        n = poll(&polled, 1, most) > 0 ? read(fd, piece, sizeof piece) : 0;
        nsc_buf_add(line, piece, n > 0 ? (size_t)n : 0);
    }
    return n > 0;
}

/* Adds a list that begins with the program's name. */
static void add_list(struct nsc_buf *out, const char *key, char *const list[])
{
    nsc_buf_printf(out, ",\"%s\":[\"nsyscope\"", key);
    for (; *list; list++) {
        nsc_buf_putc(out, ',');
        nsc_json_string(out, nsc_text_from(*list));
    }
    nsc_buf_putc(out, ']');
}

bool nsc_session_ask(int *status, char *const words[], const char *version)
{
    struct nsc_buf line = NSC_BUF_INIT(NSC_MESSAGE_BYTES);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const char *at = NULL;
    int code;

    (void)signal(SIGPIPE, SIG_IGN); /* a session that has gone is an error of write */
    nsc_buf_printf(&line, REQUEST "}}\n", "server/discover");
    if (fd >= 0 && open_session(fd) && nsc_write_all(fd, line.bytes, line.n) &&
        read_line(&line, fd, FIRST_MS) && strstr(line.bytes, version)) {
        nsc_buf_clear(&line);
        nsc_buf_printf(&line, REQUEST, "nsyscope/run");
        add_list(&line, "words", words);
        add_list(&line, "environment", environ);
        nsc_buf_puts(&line, "}}\n");
        if (!line.overflow && !strstr(line.bytes, BAD) && send_with_descriptors(fd, &line) &&
            read_line(&line, fd, -1))
            at = strstr(line.bytes, NSC_SESSION_STATUS);
    }
    code = at ? atoi(at + strlen(NSC_SESSION_STATUS)) : NSC_SESSION_ELSEWHERE;
    if (fd >= 0)
        (void)close(fd);
    nsc_buf_fini(&line);
    if (code != NSC_SESSION_ELSEWHERE)
        *status = code;
    return code != NSC_SESSION_ELSEWHERE;
}
