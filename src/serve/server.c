/* The loop of the server, with its client, calls and keepers. */
#include "serve/server.h"

#include "core/text.h"
#include "serve/protocol.h"
#include "serve/session.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CALLS = 32, PIECE = 1 << 16, WRITE_PIECE = 4096, MOST_WAITING = 4 << 20 };

struct call {
    struct nsc_request request;
    struct nsc_keeper *keeper; /* at work for it; NULL: it waits */
    bool is_cancelled;
};

struct client {
    int in, out;
    struct nsc_protocol protocol;
    struct nsc_buf line;    /* begun, without its end */
    bool skips;             /* the rest of a line that is too long */
    struct nsc_buf answers; /* the first `sent` bytes are written */
    size_t sent;
    bool has_ended; /* it sends nothing more */
    bool is_gone;   /* it reads nothing more */
};

struct server {
    const struct nsc_serve_host *host;
    struct client client;
    NSC_VEC(struct call) calls;
    struct nsc_keeper keepers[NSC_N_KEEPERS];
    uint64_t clock; /* counts the calls */
};

/* ---- calls ---- */

static void remove_call(struct server *server, size_t i)
{
    nsc_tool_call_fini(&server->calls.at[i].request.call);
    memmove(&server->calls.at[i], &server->calls.at[i + 1],
            (--server->calls.n - i) * sizeof *server->calls.at);
}

static struct call *find_call(struct server *server, const struct nsc_message_id *id)
{
    for (size_t i = 0; i < server->calls.n; i++)
        if (strcmp(server->calls.at[i].request.id.json, id->json) == 0 &&
            !server->calls.at[i].is_cancelled)
            return &server->calls.at[i];
    return NULL;
}

static void cancel_call(struct server *server, const struct nsc_message_id *id)
{
    struct call *call = find_call(server, id);

    if (!call)
        return;
    call->is_cancelled = true;
    if (call->keeper)
        nsc_keeper_cancel(call->keeper);
    else
        remove_call(server, (size_t)(call - server->calls.at));
}

/* ---- keepers ---- */

/* The keeper of these files, NULL for none; else one to start, without a process or the idle one that was
 * asked least lately; NULL: all are busy. */
static struct nsc_keeper *find_keeper(struct server *server, const struct nsc_argv *files)
{
    struct nsc_keeper *best = NULL;

    for (unsigned i = 0; i < NSC_N_KEEPERS; i++) {
        struct nsc_keeper *keeper = &server->keepers[i];

        if (files && nsc_keeper_has(keeper, files))
            return keeper;
        if (!keeper->is_busy &&
            (!best || (best->pid && (!keeper->pid || keeper->used < best->used))))
            best = keeper;
    }
    return best;
}

/* Gives a call to its keeper if that is idle. False: the call is gone. */
static bool begin_call(struct server *server, size_t i)
{
    struct call *call = &server->calls.at[i];
    struct nsc_tool_call *made = &call->request.call;
    const struct nsc_argv *files = &made->files;
    size_t n = files->words.n;
    bool is_answer = /* a copy of this process has what it needs */
        server->host->warm &&
        (n == 0 || nsc_warms_find(server->host->warm, (const char *const *)files->words.at, n));
    struct nsc_keeper *keeper = find_keeper(server, is_answer ? NULL : files);
    struct nsc_error error = {0};
    enum nsc_status status = NSC_OK;

    if (!keeper || keeper->is_busy)
        return true;
    if (is_answer || !nsc_keeper_has(keeper, files)) {
        nsc_keeper_stop(keeper);
        status = nsc_keeper_start(keeper, server->host, made, is_answer, server->keepers, &error);
    }
    if (status == NSC_OK && !is_answer)
        status = nsc_keeper_begin(keeper, &made->words, &error);
    keeper->used = ++server->clock;
    call->keeper = keeper;
    if (status == NSC_OK)
        return true;
    nsc_protocol_refuse(&server->client.answers, &call->request, error.text);
    remove_call(server, i);
    return false;
}

static void begin_calls(struct server *server)
{
    for (size_t i = 0; i < server->calls.n;)
        i += server->calls.at[i].keeper || begin_call(server, i);
}

static void end_call(struct server *server, struct nsc_keeper *keeper)
{
    for (size_t i = 0; i < server->calls.n; i++) {
        const struct call *call = &server->calls.at[i];

        if (call->keeper != keeper)
            continue;
        if (!call->is_cancelled)
            nsc_protocol_answer(&server->client.answers, &call->request, keeper);
        remove_call(server, i);
        break;
    }
    nsc_keeper_clear(keeper);
    if (!keeper->pid)
        nsc_keeper_stop(keeper);
}

/* ---- the client ---- */

static void take_line(struct server *server, struct nsc_text line)
{
    struct client *client = &server->client;
    struct nsc_request request;

    if (line.n && line.bytes[line.n - 1] == '\r')
        line.n--;
    if (line.n == 0)
        return;
    nsc_protocol_read(&request, &client->answers, &client->protocol, line, server->host);
    if (request.type == NSC_REQUEST_CANCEL) {
        cancel_call(server, &request.id);
        return;
    }
    if (request.type != NSC_REQUEST_CALL)
        return;
    if (server->calls.n < MOST_CALLS && !find_call(server, &request.id)) {
        *NSC_VEC_ADD(&server->calls) = (struct call){.request = request};
        return;
    }
    nsc_message_fail(&client->answers, &request.id, NSC_MESSAGE_BUSY,
                     server->calls.n < MOST_CALLS ? "a call with this id is being answered"
                                                  : "too many calls at once: 32",
                     NULL);
    nsc_tool_call_fini(&request.call);
}

/* Takes the bytes up to a line's end, or all if there is none. */
static size_t take_bytes(struct server *server, const char *bytes, size_t n)
{
    const struct nsc_message_id none = {""};
    struct client *client = &server->client;
    const char *end = memchr(bytes, '\n', n);
    size_t length = end ? (size_t)(end - bytes) : n;

    if (!client->skips)
        nsc_buf_add(&client->line, bytes, length);
    if (client->line.overflow && !client->skips) {
        client->skips = true;
        nsc_message_fail(&client->answers, &none, NSC_MESSAGE_PARSE, "a line has at most 1 MB",
                         NULL);
    }
    if (!end)
        return n;
    if (!client->skips)
        take_line(server, nsc_text_of_buf(&client->line));
    client->skips = false;
    nsc_buf_clear(&client->line);
    return length + 1;
}

static void read_client(struct server *server)
{
    char piece[PIECE];
    ssize_t n = server->host->warm
                    ? nsc_session_receive(&server->client.protocol, server->client.in, piece, PIECE)
                    : read(server->client.in, piece, sizeof piece);

    if (n < 0 && errno == EINTR)
        return;
    server->client.has_ended = n <= 0;
    for (size_t at = 0; n > 0 && at < (size_t)n;)
        at += take_bytes(server, piece + at, (size_t)n - at);
}

/* Writes no more than a pipe that is ready takes at once. */
static void write_client(struct client *client)
{
    size_t left = client->answers.n - client->sent;
    ssize_t n = write(client->out, client->answers.bytes + client->sent,
                      left < WRITE_PIECE ? left : WRITE_PIECE);

    if (n < 0) {
        client->is_gone = errno != EINTR && errno != EAGAIN;
        return;
    }
    client->sent += (size_t)n;
    if (client->sent == client->answers.n) {
        nsc_buf_clear(&client->answers);
        client->sent = 0;
    }
}

/* ---- the loop ---- */

enum { CLIENT_IN, CLIENT_OUT, N_CLIENT, N_POLLED = N_CLIENT + NSC_N_KEEPERS * NSC_N_KEEPER_FDS };

static void wait_for_all(struct server *server, struct pollfd polled[N_POLLED])
{
    struct client *client = &server->client;
    int most = server->host->idle ? server->host->idle : -1;
    int n;
    size_t waiting = client->answers.n - client->sent;
    bool reads = !client->has_ended && waiting < MOST_WAITING;

    polled[CLIENT_IN] = (struct pollfd){reads ? client->in : -1, POLLIN, 0};
    polled[CLIENT_OUT] =
        (struct pollfd){waiting || client->has_ended ? client->out : -1, waiting ? POLLOUT : 0, 0};
    for (unsigned i = 0; i < NSC_N_KEEPERS; i++)
        nsc_keeper_poll(&server->keepers[i], polled + N_CLIENT + (size_t)i * NSC_N_KEEPER_FDS);
    while ((n = poll(polled, N_POLLED, most)) < 0 && errno == EINTR)
        ;
    client->is_gone = client->is_gone || (n == 0 && (waiting || server->calls.n == 0));
}

static void read_keepers(struct server *server, const struct pollfd polled[N_POLLED])
{
    for (unsigned i = 0; i < NSC_N_KEEPERS; i++) {
        struct nsc_keeper *keeper = &server->keepers[i];
        bool has_come = false;

        for (unsigned k = 0; k < NSC_N_KEEPER_FDS; k++)
            has_come |= polled[N_CLIENT + i * NSC_N_KEEPER_FDS + k].revents != 0;
        if (!keeper->pid || !has_come)
            continue;
        nsc_keeper_read(keeper);
        if (keeper->is_done)
            end_call(server, keeper);
    }
}

static bool is_over(const struct server *server)
{
    const struct client *client = &server->client;

    return client->is_gone ||
           (client->has_ended && server->calls.n == 0 && client->answers.n == client->sent);
}

void nsc_serve(const struct nsc_serve_host *host, const struct nsc_argv *files, int in, int out)
{
    struct server server = {.host = host,
                            .client = {.protocol = {.files = files},
                                       .in = in,
                                       .out = out,
                                       .line = NSC_BUF_INIT(NSC_MESSAGE_BYTES),
                                       .answers = NSC_BUF_INIT(SIZE_MAX)}};
    struct pollfd polled[N_POLLED];

    (void)signal(SIGPIPE, SIG_IGN); /* a client or keeper that has gone is an error of write */
    while (!is_over(&server)) {
        begin_calls(&server);
        wait_for_all(&server, polled);
        if (polled[CLIENT_OUT].revents & (POLLERR | POLLNVAL | POLLHUP))
            server.client.is_gone = true;
        else if (polled[CLIENT_OUT].revents)
            write_client(&server.client);
        read_keepers(&server, polled);
        if (polled[CLIENT_IN].revents)
            read_client(&server);
    }
    for (unsigned i = 0; i < NSC_N_KEEPERS; i++)
        nsc_keeper_stop(&server.keepers[i]);
    while (server.calls.n)
        remove_call(&server, server.calls.n - 1);
    NSC_VEC_FINI(&server.calls);
    nsc_message_fini(&server.client.protocol.message);
    nsc_buf_fini(&server.client.line);
    nsc_buf_fini(&server.client.answers);
}
