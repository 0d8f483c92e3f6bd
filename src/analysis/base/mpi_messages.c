/*
 * Gathers the sends and receives of all processes, sorts them by channel and matches them in turn.
 */
#include "analysis/base/mpi_messages.h"

#include "analysis/base/limit.h"
#include "core/sum.h"
#include "core/text.h"

#include <stdlib.h>

struct message {         /* a send or a receive */
    uint32_t own, other; /* processes */
    int64_t tag;
    bool is_send, has_request;
    int64_t request;
    nsc_event event;
    nsc_time posted;         /* where its call starts */
    struct nsc_window waits; /* wait in its call or for its request; t0 == t1: none */
};

struct completion { /* of a request */
    uint32_t process;
    bool is_all; /* with other requests */
    int64_t request;
    struct nsc_window window;
};

struct process {
    int64_t rank, world; /* world: the handle of MPI_COMM_WORLD */
    bool has_rank, has_world;
    bool is_guess;    /* no table defines the handle: valid only if it is the only one */
    bool is_withheld; /* its order or its partners are uncertain */
    uint32_t thread;  /* group of the thread that sends and receives; NSC_NONE: none yet */
};

struct matching {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_fields *fields; /* of calls */
    const uint64_t *numbers;         /* of processes */
    uint32_t n;
    struct process *processes;
    NSC_VEC(struct completion) completions; /* by process, request, start */
    NSC_VEC(struct message) messages;
};

/* ---- the role of a call ---- */

enum role { NO_ROLE, SENDS = 1, RECEIVES = 2, ASKS = 4 /* returns a request at once */ };

static struct nsc_text name_of(const struct matching *of, nsc_event event)
{
    return nsc_trace_string(of->trace, nsc_trace_names(of->trace)->full[of->events->name[event]]);
}

static unsigned role_of(const struct matching *of, nsc_event event)
{
    static const struct {
        const char *name;
        unsigned role;
    } roles[] = {
        {"MPI_Send", SENDS},          {"MPI_Ssend", SENDS},
        {"MPI_Rsend", SENDS},         {"MPI_Bsend", SENDS},
        {"MPI_Recv", RECEIVES},       {"MPI_Isend", SENDS | ASKS},
        {"MPI_Issend", SENDS | ASKS}, {"MPI_Irsend", SENDS | ASKS},
        {"MPI_Ibsend", SENDS | ASKS}, {"MPI_Irecv", RECEIVES | ASKS},
        {"MPI_Sendrecv", NO_ROLE},    {"MPI_Sendrecv_replace", NO_ROLE},
    };
    struct nsc_text name = name_of(of, event);

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (nsc_text_is(name, roles[i].name)) {
            if (roles[i].role != NO_ROLE)
                return roles[i].role;
            /* one call, two rows: that of the send has no length */
            return nsc_event_duration(of->events, event) == 0 ? SENDS : RECEIVES;
        }
    return NO_ROLE;
}

/* ---- processes ---- */

/* Sets each process's rank, and its handle of MPI_COMM_WORLD: the communicator without a parent. */
static void find_ranks(struct matching *of, const struct nsc_fields *ranks,
                       const struct nsc_fields *comms)
{
    int64_t id;
    int64_t rank;
    int64_t parent;

    for (uint32_t p = 0; p < of->n; p++) {
        struct process *process = &of->processes[p];

        process->thread = NSC_NONE;
        for (uint32_t row = 0; ranks && row < ranks->n && !process->has_rank; row++)
            process->has_rank = nsc_fields_int(&id, ranks, NSC_MPI_RANK_THREAD, row) &&
                                (uint64_t)id >> 24 == (of->numbers[p] & 0xffffffffff) &&
                                nsc_fields_int(&process->rank, ranks, NSC_MPI_RANK_NUMBER, row);
        for (uint32_t row = 0; comms && row < comms->n && !process->has_world; row++)
            process->has_world =
                process->has_rank && nsc_fields_int(&rank, comms, NSC_MPI_COMM_RANK, row) &&
                rank == process->rank && nsc_fields_int(&parent, comms, NSC_MPI_COMM_PARENT, row) &&
                parent == 0 && nsc_fields_int(&process->world, comms, NSC_MPI_COMM_HANDLE, row);
    }
}

/* The process with this rank; NSC_NONE: none, or several. */
static uint32_t find_process(const struct matching *of, int64_t rank)
{
    uint32_t found = NSC_NONE;

    for (uint32_t p = 0; p < of->n; p++)
        if (of->processes[p].has_rank && of->processes[p].rank == rank) {
            if (found != NSC_NONE)
                return NSC_NONE;
            found = p;
        }
    return found;
}

/* ---- gathering ---- */

static void add_message(struct matching *of, uint32_t p, uint32_t thread, nsc_event event)
{
    unsigned role = role_of(of, event);
    uint32_t row = nsc_fields_find(of->fields, event);
    struct process *process = &of->processes[p];
    struct message message = {.own = p,
                              .is_send = (role & SENDS) != 0,
                              .event = event,
                              .posted = of->events->start[event]};
    int64_t comm;
    int64_t remote;

    if (role == NO_ROLE || !nsc_fields_int(&comm, of->fields, NSC_MPI_COMM, row) ||
        !nsc_fields_int(&message.tag, of->fields, NSC_MPI_TAG, row) ||
        !nsc_fields_int(&remote, of->fields, NSC_MPI_REMOTE, row))
        return;
    if (!process->has_world) {
        process->has_world = process->is_guess = true;
        process->world = comm;
    }
    if (comm != process->world && !process->is_guess)
        return;
    process->is_withheld = process->is_withheld || comm != process->world || !process->has_rank ||
                           remote < 0 || message.tag < 0 ||
                           (process->thread != NSC_NONE && process->thread != thread);
    process->thread = thread;
    message.other = find_process(of, remote);
    if (role & ASKS)
        message.has_request = nsc_fields_int(&message.request, of->fields, NSC_MPI_REQUEST, row);
    else
        message.waits = (struct nsc_window){message.posted, nsc_event_end(of->events, event)};
    if (message.other != NSC_NONE)
        *NSC_VEC_ADD(&of->messages) = message;
}

static void add_completion(struct matching *of, const struct nsc_fields *waits, uint32_t p,
                           nsc_event event)
{
    struct nsc_text name = name_of(of, event);
    bool is_all = nsc_text_is(name, "MPI_Waitall");
    int64_t request;

    if ((is_all || nsc_text_is(name, "MPI_Wait")) &&
        nsc_fields_int(&request, waits, NSC_MPI_WAIT_REQUEST, nsc_fields_find(waits, event)))
        *NSC_VEC_ADD(&of->completions) = (struct completion){
            p, is_all, request, {of->events->start[event], nsc_event_end(of->events, event)}};
}

static void gather(struct matching *of, const struct nsc_fields *waits)
{
    uint32_t n = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(of->trace, &n);

    for (uint32_t k = 0; k < n; k++) {
        const struct nsc_track *track = nsc_trace_track(of->trace, lanes[k].track);
        uint32_t p = 0;

        while (p < of->n && of->numbers[p] != track->process)
            p++;
        if (track->kind != NSC_TRACK_MPI || p == of->n)
            continue;
        for (nsc_event e = lanes[k].first; e < lanes[k].first + lanes[k].n; e++)
            if (of->events->kind[e] == NSC_KIND_MPI_P2P)
                add_message(of, p, nsc_trace_group_of(of->trace, lanes[k].track), e);
            else if (of->events->kind[e] == NSC_KIND_MPI_WAIT)
                add_completion(of, waits, p, e);
    }
}

/* ---- requests ---- */

static int compare_completions(const void *a, const void *b)
{
    const struct completion *x = a;
    const struct completion *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return (x->window.t0 > y->window.t0) - (x->window.t0 < y->window.t0);
}

/* The first of the process's waits for the request at t or later. */
static size_t find_completion(const struct matching *of, uint32_t process, int64_t request,
                              nsc_time t)
{
    const struct completion key = {process, false, request, {t, t}};
    size_t lo = 0;
    size_t hi = of->completions.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (compare_completions(&of->completions.at[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int compare_requests(const void *a, const void *b)
{
    const struct message *x = a;
    const struct message *y = b;

    if (x->has_request != y->has_request)
        return x->has_request ? -1 : 1;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return (x->posted > y->posted) - (x->posted < y->posted);
}

/* Finds the waits that end requests. Skips MPI_Waitall of sends, which does not show its send.
 * Handles are reused: a wait after the next message with the same handle belongs to that one; then
 * a test ended this request. */
static void find_waits(struct matching *of)
{
    struct message *at = of->messages.at;

    for (size_t i = 0; i < of->messages.n && at[i].has_request; i++) {
        size_t k = find_completion(of, at[i].own, at[i].request, at[i].posted);
        const struct completion *wait = &of->completions.at[k];
        bool has_next = i + 1 < of->messages.n && at[i + 1].has_request &&
                        at[i + 1].own == at[i].own && at[i + 1].request == at[i].request;

        if (k < of->completions.n && wait->process == at[i].own && wait->request == at[i].request &&
            !(at[i].is_send && wait->is_all) && !(has_next && wait->window.t0 >= at[i + 1].posted))
            at[i].waits = wait->window;
    }
}

/* ---- pairs ---- */

static uint32_t from_of(const struct message *message)
{
    return message->is_send ? message->own : message->other;
}

static uint32_t to_of(const struct message *message)
{
    return message->is_send ? message->other : message->own;
}

static int compare_channels(const struct message *x, const struct message *y)
{
    if (from_of(x) != from_of(y))
        return from_of(x) < from_of(y) ? -1 : 1;
    if (to_of(x) != to_of(y))
        return to_of(x) < to_of(y) ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Orders by channel, the sends of each before its receives. */
static int compare_messages(const void *a, const void *b)
{
    const struct message *x = a;
    const struct message *y = b;
    int order = compare_channels(x, y);

    if (order != 0)
        return order;
    if (x->is_send != y->is_send)
        return x->is_send ? -1 : 1;
    if (x->posted != y->posted)
        return x->posted < y->posted ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static void add_wait(struct nsc_mpi_waits *out, const struct message *waiting, nsc_time until)
{
    nsc_time end = nsc_earlier(waiting->waits.t1, until);

    if (waiting->waits.t0 < end)
        *NSC_VEC_ADD(&out->list) =
            (struct nsc_mpi_wait){waiting->own, waiting->other, waiting->waits.t0, end};
}

/* False if the message arrives before it is sent. */
static bool match_pair(struct nsc_mpi_waits *out, const struct message *send,
                       const struct message *receive)
{
    bool is_known = receive->waits.t0 < receive->waits.t1;

    if (is_known && nsc_sum(receive->waits.t1, NSC_LIMIT_MPI_SLACK) < send->posted)
        return false;
    add_wait(out, receive, send->posted);
    if (send->waits.t1 >= receive->posted)
        add_wait(out, send, receive->posted);
    return true;
}

/* Matches the messages [from, to) of one channel, if there are as many sends as receives. */
static void match_channel(struct nsc_mpi_waits *out, const struct matching *of, size_t from,
                          size_t to, uint32_t counts[2])
{
    const struct message *at = of->messages.at;
    size_t n = (to - from) / 2;

    if (of->processes[at[from].own].is_withheld || of->processes[at[from].other].is_withheld ||
        (to - from) % 2 != 0 || !at[from + n - 1].is_send || at[from + n].is_send)
        return;
    for (size_t k = from; k < from + n; k++)
        counts[match_pair(out, &at[k], &at[k + n])]++;
}

static uint32_t match_all(struct nsc_mpi_waits *out, struct matching *of)
{
    size_t before = out->list.n;
    uint32_t counts[2] = {0, 0}; /* received before they were sent; in order */

    for (size_t from = 0, to = 0; from < of->messages.n; from = to) {
        while (to < of->messages.n &&
               compare_channels(&of->messages.at[from], &of->messages.at[to]) == 0)
            to++;
        match_channel(out, of, from, to, counts);
    }
    if ((uint64_t)counts[0] * 100 <= ((uint64_t)counts[0] + counts[1]) * NSC_LIMIT_MPI_STRAY)
        return counts[1];
    out->list.n = before;
    return 0;
}

uint32_t nsc_mpi_messages_match(struct nsc_mpi_waits *out, const struct nsc_trace *trace,
                                const struct nsc_field_sets *fields, const uint64_t processes[],
                                uint32_t n)
{
    struct matching of = {.trace = trace,
                          .events = nsc_trace_events(trace),
                          .fields = nsc_field_set(fields, NSC_FIELDS_MPI_MESSAGES),
                          .numbers = processes,
                          .n = n,
                          .processes = nsc_xcalloc((size_t)n + 1, sizeof *of.processes)};
    uint32_t matched = 0;

    find_ranks(&of, nsc_field_set(fields, NSC_FIELDS_MPI_RANKS),
               nsc_field_set(fields, NSC_FIELDS_MPI_COMMS));
    gather(&of, nsc_field_set(fields, NSC_FIELDS_MPI_WAITS));
    if (of.messages.n > 1) {
        if (of.completions.n > 1)
            qsort(of.completions.at, of.completions.n, sizeof *of.completions.at,
                  compare_completions);
        qsort(of.messages.at, of.messages.n, sizeof *of.messages.at, compare_requests);
        find_waits(&of);
        qsort(of.messages.at, of.messages.n, sizeof *of.messages.at, compare_messages);
        matched = match_all(out, &of);
    }
    NSC_VEC_FINI(&of.completions);
    NSC_VEC_FINI(&of.messages);
    free(of.processes);
    return matched;
}
