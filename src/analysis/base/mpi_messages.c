/*
 * Gathers the sends and receives of all processes in order of time, deals them to their channels and
 * matches them in turn.
 */
#include "analysis/base/mpi_messages.h"

#include "analysis/base/limit.h"
#include "core/sort.h"
#include "core/sum.h"
#include "core/text.h"
#include "index/lane_merge.h"
#include "index/names.h"

#include <stdlib.h>

struct message { /* a send or a receive */
    int64_t tag;
    uint32_t own; /* process */
    uint32_t other : 31, is_send : 1;
    nsc_event event;
    nsc_event wait; /* the call that waits for it; NSC_NONE: none */
};

struct process {
    int64_t rank, world; /* world: the handle of MPI_COMM_WORLD */
    bool has_rank, has_world;
    bool is_guess;    /* no table defines the handle: valid only if it is the only one */
    bool is_withheld; /* its order or its partners are uncertain */
    uint32_t thread;  /* group of the thread that sends and receives; NSC_NONE: none yet */
};

struct pair_list {
    NSC_VEC(struct nsc_sort_pair) list;
};

struct matching {
    const struct nsc_trace *trace;
    const struct nsc_events *events;
    const struct nsc_fields *fields; /* of calls */
    const struct nsc_fields *waits;  /* of waits for requests */
    const uint64_t *numbers;         /* of processes */
    uint32_t n;
    struct process *processes;
    struct pair_list ranks;           /* sorted: rank, process; NSC_NONE: several */
    uint8_t *roles;                   /* by name: 1 + its role; 0: not asked yet */
    NSC_VEC(struct message) messages; /* by process, time */
    struct pair_list requests,
        completions; /* of one process: request, message or call that waits for it */
};

static void sort_pairs(struct pair_list *pairs)
{
    struct nsc_sort_pair *scratch = nsc_xmalloc((pairs->list.n + 1) * sizeof *scratch);

    nsc_sort_pairs(pairs->list.at, scratch, pairs->list.n);
    free(scratch);
}

/* ---- the role of a call ---- */

enum role {
    NO_ROLE,
    SENDS = 1,
    RECEIVES = 2,
    ASKS = 4, /* returns a request at once */
    WAITS = 8,
    WAITS_FOR_ALL = 16 /* with other requests */
};

static unsigned role_of_name(struct nsc_text name)
{
    static const struct {
        const char *name;
        unsigned role;
    } roles[] = {
        {"MPI_Send", SENDS},
        {"MPI_Ssend", SENDS},
        {"MPI_Rsend", SENDS},
        {"MPI_Bsend", SENDS},
        {"MPI_Recv", RECEIVES},
        {"MPI_Isend", SENDS | ASKS},
        {"MPI_Issend", SENDS | ASKS},
        {"MPI_Irsend", SENDS | ASKS},
        {"MPI_Ibsend", SENDS | ASKS},
        {"MPI_Irecv", RECEIVES | ASKS},
        {"MPI_Sendrecv", SENDS | RECEIVES},
        {"MPI_Sendrecv_replace", SENDS | RECEIVES},
        {"MPI_Wait", WAITS},
        {"MPI_Waitall", WAITS | WAITS_FOR_ALL},
    };

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (nsc_text_is(name, roles[i].name))
            return roles[i].role;
    return NO_ROLE;
}

static unsigned role_of(const struct matching *of, nsc_event event)
{
    nsc_name name = of->events->name[event];
    unsigned role;

    if (!of->roles[name])
        of->roles[name] = (uint8_t)(1 + role_of_name(nsc_name_text(of->trace, name)));
    role = of->roles[name] - 1U;
    if (role != (SENDS | RECEIVES))
        return role;
    /* one call, two rows: that of the send has no length */
    return nsc_event_duration(of->events, event) == 0 ? SENDS : RECEIVES;
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

/* Lists the ranks of the processes, sorted. */
static void sort_ranks(struct matching *of)
{
    struct nsc_sort_pair *at;

    for (uint32_t p = 0; p < of->n; p++)
        if (of->processes[p].has_rank)
            *NSC_VEC_ADD(&of->ranks.list) =
                (struct nsc_sort_pair){nsc_sort_key(of->processes[p].rank), p};
    sort_pairs(&of->ranks);
    at = of->ranks.list.at;
    for (size_t i = 1; i < of->ranks.list.n; i++)
        if (at[i - 1].key == at[i].key)
            at[i - 1].value = at[i].value = NSC_NONE;
}

/* The process with this rank; NSC_NONE: none, or several. */
static uint32_t find_process(const struct matching *of, int64_t rank)
{
    uint64_t key = nsc_sort_key(rank);
    const struct nsc_sort_pair *found = NULL;

    if (of->ranks.list.n > 0) /* a key comes first in its pair */
        found = bsearch(&key, of->ranks.list.at, of->ranks.list.n, sizeof *found, nsc_u64_compare);
    return found ? found->value : NSC_NONE;
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
                              .wait = role & ASKS ? NSC_NONE : event};
    uint32_t other;
    int64_t comm;
    int64_t remote;
    int64_t request;

    if (!(role & (SENDS | RECEIVES)) || !nsc_fields_int(&comm, of->fields, NSC_MPI_COMM, row) ||
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
    other = find_process(of, remote);
    if (other == NSC_NONE)
        return;
    message.other = other & INT32_MAX;
    if ((role & ASKS) && nsc_fields_int(&request, of->fields, NSC_MPI_REQUEST, row))
        *NSC_VEC_ADD(&of->requests.list) =
            (struct nsc_sort_pair){(uint64_t)request, (uint32_t)of->messages.n};
    *NSC_VEC_ADD(&of->messages) = message;
}

static void add_completion(struct matching *of, nsc_event event)
{
    int64_t request;

    if ((role_of(of, event) & WAITS) && nsc_fields_int(&request, of->waits, NSC_MPI_WAIT_REQUEST,
                                                       nsc_fields_find(of->waits, event)))
        *NSC_VEC_ADD(&of->completions.list) = (struct nsc_sort_pair){(uint64_t)request, event};
}

/* Adds the messages of a process, and its requests and their waits, in order of time. */
static void gather(struct matching *of, uint32_t p)
{
    uint32_t lane = 0;
    const struct nsc_lane *lanes = nsc_trace_lanes(of->trace, NULL);
    struct nsc_lane_merge merge;
    NSC_VEC(uint32_t) own = {0};

    for (struct nsc_lane_walk at = nsc_trace_all_lanes(of->trace, NSC_TRACK_BIT(NSC_TRACK_MPI));
         nsc_lane_walk_next(&at);)
        if (at.tracks[at.track].process == of->numbers[p])
            *NSC_VEC_ADD(&own) = at.lane;
    nsc_lane_merge_init(&merge, of->trace, own.at, (uint32_t)own.n);
    for (nsc_event e; (e = nsc_lane_merge_next(&merge)) != NSC_NONE;)
        if (of->events->kind[e] == NSC_KIND_MPI_P2P) {
            lane = nsc_trace_lane_near(of->trace, e, lane);
            add_message(of, p, nsc_trace_group_of(of->trace, lanes[lane].track), e);
        } else if (of->events->kind[e] == NSC_KIND_MPI_WAIT) {
            add_completion(of, e);
        }
    nsc_lane_merge_fini(&merge);
    NSC_VEC_FINI(&own);
}

/* ---- requests ---- */

/* Finds the waits that end the requests of a process. Skips MPI_Waitall of sends, which does not
 * show its send. Handles are reused: a wait after the next message with the same handle belongs to
 * that one; then a test ended this request. */
static void find_waits(struct matching *of)
{
    const struct nsc_sort_pair *request = of->requests.list.at;
    const struct nsc_sort_pair *wait = of->completions.list.at;
    const nsc_time *start = of->events->start;
    size_t k = 0;

    sort_pairs(&of->requests);
    sort_pairs(&of->completions);
    for (size_t i = 0; i < of->requests.list.n; i++) {
        struct message *message = &of->messages.at[request[i].value];
        bool has_next = i + 1 < of->requests.list.n && request[i + 1].key == request[i].key;

        while (k < of->completions.list.n &&
               (wait[k].key < request[i].key ||
                (wait[k].key == request[i].key && start[wait[k].value] < start[message->event])))
            k++;
        if (k < of->completions.list.n && wait[k].key == request[i].key &&
            !(message->is_send && (role_of(of, wait[k].value) & WAITS_FOR_ALL)) &&
            !(has_next &&
              start[wait[k].value] >= start[of->messages.at[request[i + 1].value].event]))
            message->wait = wait[k].value;
    }
    NSC_VEC_CLEAR(&of->requests.list);
    NSC_VEC_CLEAR(&of->completions.list);
}

/* ---- pairs ---- */

/* Equal for the messages of a channel, apart from their tags. */
static uint64_t channel_of(const struct matching *of, const struct message *message)
{
    uint64_t from = message->is_send ? message->own : message->other;
    uint64_t to = message->is_send ? message->other : message->own;

    return from * of->n + to;
}

/* Lists the messages by channel and tag, the sends of each before its receives, each in order of
 * time. A tag below 0, whose sign is lost, withholds its process. */
static void order_messages(struct pair_list *out, const struct matching *of)
{
    for (size_t i = 0; i < of->messages.n; i++) {
        const struct message *message = &of->messages.at[i];

        *NSC_VEC_ADD(&out->list) =
            (struct nsc_sort_pair){(uint64_t)message->tag << 1 | !message->is_send, (uint32_t)i};
    }
    sort_pairs(out);
    for (size_t i = 0; i < out->list.n; i++)
        out->list.at[i].key = channel_of(of, &of->messages.at[out->list.at[i].value]);
    sort_pairs(out);
}

static struct nsc_window wait_of(const struct matching *of, const struct message *message)
{
    if (message->wait == NSC_NONE)
        return (struct nsc_window){0, 0};
    return (struct nsc_window){of->events->start[message->wait],
                               nsc_event_end(of->events, message->wait)};
}

static void add_wait(struct nsc_mpi_waits *out, const struct message *waiting,
                     struct nsc_window wait, nsc_time until)
{
    nsc_time end = nsc_earlier(wait.t1, until);

    if (wait.t0 < end)
        *NSC_VEC_ADD(&out->list) =
            (struct nsc_mpi_wait){waiting->own, waiting->other, wait.t0, end};
}

/* False if the message arrives before it is sent. */
static bool match_pair(struct nsc_mpi_waits *out, const struct matching *of,
                       const struct message *send, const struct message *receive)
{
    struct nsc_window of_receive = wait_of(of, receive);
    struct nsc_window of_send = wait_of(of, send);
    nsc_time sent = of->events->start[send->event];
    nsc_time received = of->events->start[receive->event];

    if (of_receive.t0 < of_receive.t1 && nsc_sum(of_receive.t1, 1000 * NSC_LIMIT_SLACK) < sent)
        return false;
    add_wait(out, receive, of_receive, sent);
    if (of_send.t1 >= received)
        add_wait(out, send, of_send, received);
    return true;
}

/* Matches n messages of one channel, if there are as many sends as receives. */
static void match_channel(struct nsc_mpi_waits *out, const struct matching *of,
                          const struct nsc_sort_pair pairs[], size_t n, uint32_t counts[2])
{
    const struct message *at = of->messages.at;
    const struct message *first = &at[pairs[0].value];
    size_t half = n / 2;

    if (of->processes[first->own].is_withheld || of->processes[first->other].is_withheld ||
        n % 2 != 0 || !at[pairs[half - 1].value].is_send || at[pairs[half].value].is_send)
        return;
    for (size_t k = 0; k < half; k++)
        counts[match_pair(out, of, &at[pairs[k].value], &at[pairs[k + half].value])]++;
}

static uint32_t match_all(struct nsc_mpi_waits *out, const struct matching *of)
{
    const struct message *at = of->messages.at;
    size_t before = out->list.n;
    uint32_t counts[2] = {0, 0}; /* received before they were sent; in order */
    struct pair_list pairs = {0};
    const struct nsc_sort_pair *pair;
    size_t n;

    order_messages(&pairs, of);
    pair = pairs.list.at;
    n = pairs.list.n;
    for (size_t from = 0, to = 0; from < n; from = to) {
        while (to < n && pair[to].key == pair[from].key &&
               at[pair[to].value].tag == at[pair[from].value].tag)
            to++;
        match_channel(out, of, &pair[from], to - from, counts);
    }
    NSC_VEC_FINI(&pairs.list);
    if ((uint64_t)counts[0] * 100 <= ((uint64_t)counts[0] + counts[1]) * NSC_LIMIT_MATTERS)
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
                          .waits = nsc_field_set(fields, NSC_FIELDS_MPI_WAITS),
                          .numbers = processes,
                          .n = n,
                          .processes = nsc_xcalloc((size_t)n + 1, sizeof *of.processes),
                          .roles = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, 1)};
    uint32_t matched;

    find_ranks(&of, nsc_field_set(fields, NSC_FIELDS_MPI_RANKS),
               nsc_field_set(fields, NSC_FIELDS_MPI_COMMS));
    sort_ranks(&of);
    for (uint32_t p = 0; p < n; p++) {
        gather(&of, p);
        find_waits(&of);
    }
    matched = match_all(out, &of);
    NSC_VEC_FINI(&of.ranks.list);
    NSC_VEC_FINI(&of.requests.list);
    NSC_VEC_FINI(&of.completions.list);
    NSC_VEC_FINI(&of.messages);
    free(of.roles);
    free(of.processes);
    return matched;
}
