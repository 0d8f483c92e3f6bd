/* Computes the breakdown of a device: times from its covers, counts from its rows. */
#include "analysis/device/breakdown.h"

#include "analysis/base/activity.h"
#include "analysis/base/device_rows.h"
#include "analysis/base/shared.h"
#include "core/die.h"
#include "core/sum.h"

/* ---- counts ---- */

struct counting {
    const struct nsc_events *events;
    const uint8_t *name_flags;
    struct nsc_breakdown *out;
    uint32_t n_within, n_peer; /* copies within the device; between devices, and unknown ones */
};

static void count_kernel(struct nsc_breakdown *out, nsc_time duration, bool is_comm)
{
    out->n_kernels++;
    out->kernel_work = nsc_sum(out->kernel_work, duration);
    if (is_comm) {
        out->n_comm++;
        out->comm_work = nsc_sum(out->comm_work, duration);
    }
}

static void count_row(struct counting *counting, nsc_event row)
{
    const struct nsc_events *events = counting->events;
    struct nsc_breakdown *out = counting->out;
    nsc_time duration = nsc_event_duration(events, row);
    uint8_t kind = events->kind[row];

    out->n_ops++;
    if (kind == NSC_KIND_KERNEL) {
        count_kernel(out, duration, counting->name_flags[events->name[row]] & NSC_NAME_COMM);
    } else if (kind == NSC_KIND_GRAPH) {
        count_kernel(out, duration, false);
        out->n_graphs++;
        out->graph_work = nsc_sum(out->graph_work, duration);
    }
    counting->n_within += kind == NSC_KIND_COPY_DTOD;
    counting->n_peer += kind == NSC_KIND_COPY_PTOP || kind == NSC_KIND_COPY_OTHER;
}

static void count_rows(void *context, const struct nsc_scope *own, nsc_event row, nsc_event end)
{
    struct counting *counting = context;

    for (; row < end; row++)
        if (nsc_kind_is_gpu(counting->events->kind[row]) &&
            nsc_scope_has_row(own, counting->events, row))
            count_row(counting, row);
}

/* ---- times ---- */

/* Copies and memsets by what the breakdown tells apart. */
enum memory { TO_DEVICE, TO_HOST, WITHIN, PEER, SET, N_MEMORY };
#define BIT(memory) (1u << (memory))
enum { TRANSFER = BIT(TO_DEVICE) | BIT(TO_HOST), OTHERS = TRANSFER | BIT(PEER) };

/* A cover that is passed once; cover NULL: empty. */
struct passing {
    const struct nsc_cover *cover;
    uint32_t i;
    struct nsc_window at; /* interval i; the end of time after the last one */
};

static void pass_to(struct passing *passing, uint32_t i)
{
    passing->i = i;
    passing->at = passing->cover && i < nsc_cover_count(passing->cover)
                      ? nsc_cover_at(passing->cover, i)
                      : (struct nsc_window){INT64_MAX, INT64_MAX};
}

/* Work of one kind beside the memory's. */
struct beside {
    struct nsc_cover_cursor cursor;
    uint64_t before; /* up to the start of the stretch */
};

static void begin_beside(struct beside *of, nsc_time t)
{
    of->before = of->cursor.cover ? nsc_cover_cursor_step(&of->cursor, t) : 0;
}

static nsc_time end_beside(struct beside *of, nsc_time t)
{
    uint64_t to = of->cursor.cover ? nsc_cover_cursor_step(&of->cursor, t) : 0;

    return (nsc_time)(to - of->before);
}

struct memory_walk {
    struct nsc_breakdown *out;
    struct passing of[N_MEMORY];
    struct beside compute, comm, both;
};

/* Adds a stretch [t0, t1) in which the same memory operations run. */
static void add_stretch(struct memory_walk *walk, unsigned running, nsc_time t0, nsc_time t1)
{
    struct nsc_breakdown *out = walk->out;
    nsc_time length = nsc_span(t0, t1);
    nsc_time compute, alone;

    begin_beside(&walk->compute, t0);
    begin_beside(&walk->comm, t0);
    begin_beside(&walk->both, t0);
    compute = end_beside(&walk->compute, t1);
    alone = length - (compute + end_beside(&walk->comm, t1) - end_beside(&walk->both, t1));
    out->memory += length;
    out->memory_alone += alone;
    if (running & TRANSFER) {
        out->transfer += length;
        out->transfer_overlap += compute;
        out->transfer_exposed += alone;
    }
    if (!(running & OTHERS))
        out->within_alone += alone;
}

/* Where the stretch that begins at t ends; *running: what runs in it. */
static nsc_time find_stretch(struct memory_walk *walk, unsigned *running, nsc_time t)
{
    nsc_time end = walk->out->window.t1;

    *running = 0;
    for (unsigned i = 0; i < N_MEMORY; i++) {
        struct passing *of = &walk->of[i];

        if (of->at.t1 <= t)
            pass_to(of, of->i + 1);
        if (of->at.t0 <= t)
            *running |= BIT(i);
        end = nsc_earlier(end, of->at.t0 <= t ? of->at.t1 : of->at.t0);
    }
    return end;
}

static void walk_memory(struct memory_walk *walk)
{
    struct nsc_window w = walk->out->window;
    unsigned running;

    for (unsigned i = 0; i < N_MEMORY; i++)
        pass_to(&walk->of[i], walk->of[i].cover ? nsc_cover_find(walk->of[i].cover, w.t0) : 0);
    for (nsc_time t = w.t0, end; t < w.t1; t = end) {
        end = find_stretch(walk, &running, t);
        if (running)
            add_stretch(walk, running, t, end);
    }
}

static void init_beside(struct beside *of, const struct nsc_cover *cover)
{
    if (cover)
        nsc_cover_cursor_init(&of->cursor, cover);
}

static bool keep_within(const void *context, nsc_event event)
{
    const struct nsc_scope *scope = context;

    return nsc_scope_selects(scope, event) &&
           nsc_trace_events(scope->trace)->kind[event] == NSC_KIND_COPY_DTOD;
}

static bool keep_peer(const void *context, nsc_event event)
{
    const struct nsc_scope *scope = context;
    uint8_t kind = nsc_trace_events(scope->trace)->kind[event];

    return nsc_scope_selects(scope, event) &&
           (kind == NSC_KIND_COPY_PTOP || kind == NSC_KIND_COPY_OTHER);
}

/* The covers have one class for copies within the device and between devices. Where both are, each
 * needs a cover of its own. */
static void measure_memory(struct nsc_breakdown *out, const struct nsc_scope *scope,
                           uint32_t device, const struct nsc_device_covers *covers,
                           const struct counting *counts)
{
    struct memory_walk walk = {.out = out,
                               .of = {[TO_DEVICE].cover = covers->work[NSC_OP_HTOD],
                                      [TO_HOST].cover = covers->work[NSC_OP_DTOH],
                                      [SET].cover = covers->work[NSC_OP_MEMSET]}};
    struct nsc_cover *within = NULL, *peer = NULL;

    if (counts->n_within > 0 && counts->n_peer > 0) {
        walk.of[WITHIN].cover = within =
            nsc_device_cover_of(scope->trace, device, keep_within, scope);
        walk.of[PEER].cover = peer = nsc_device_cover_of(scope->trace, device, keep_peer, scope);
    } else {
        walk.of[counts->n_peer > 0 ? PEER : WITHIN].cover = covers->work[NSC_OP_PEER];
    }
    init_beside(&walk.compute, covers->work[NSC_OP_COMPUTE]);
    init_beside(&walk.comm, covers->work[NSC_OP_COMM]);
    init_beside(&walk.both, covers->overlap);
    walk_memory(&walk);
    nsc_cover_free(within);
    nsc_cover_free(peer);
}

static void measure_times(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device,
                          const struct counting *counts)
{
    struct nsc_scope_covers covers;
    struct nsc_activity activity;

    if (!nsc_scope_covers_build(&covers, scope, device))
        nsc_die_oom();
    activity = nsc_device_activity(&covers.of, out->window);
    out->whole = activity.window;
    out->busy = activity.busy;
    out->idle = activity.idle;
    out->compute = activity.compute;
    out->comm = activity.comm;
    out->overlap = activity.overlap;
    out->exposed = activity.exposed;
    out->comm_alone = activity.comm - activity.overlap;
    measure_memory(out, scope, device, &covers.of, counts);
    nsc_scope_covers_fini(&covers);
}

static bool build_breakdown(void *value, const struct nsc_scope *scope, uint32_t device)
{
    struct nsc_breakdown *out = value;
    struct counting counts = {.events = nsc_trace_events(scope->trace),
                              .name_flags = nsc_trace_names(scope->trace)->flags,
                              .out = out};

    *out = (struct nsc_breakdown){0};
    if (!nsc_device_window(&out->window, scope, device))
        return false;
    nsc_device_rows_walk(scope, device, count_rows, &counts);
    measure_times(out, scope, device, &counts);
    return true;
}

bool nsc_breakdown_build(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t device)
{
    static const struct nsc_shared_kind kind = {sizeof(struct nsc_breakdown), build_breakdown,
                                                NULL};

    return nsc_shared_ask(out, NULL, &kind, scope, device);
}

bool nsc_breakdown_next(struct nsc_breakdown *out, const struct nsc_scope *scope, uint32_t *device)
{
    while ((*device = nsc_device_next(scope->trace, *device)) != NSC_NONE)
        if (nsc_breakdown_build(out, scope, *device))
            return true;
    return false;
}

nsc_time nsc_overlap_gain(nsc_time exposed, nsc_time compute, nsc_time overlapped)
{
    return nsc_earlier(exposed, nsc_later(0, compute - overlapped));
}

double nsc_gain_ceiling(nsc_time whole, nsc_time loss)
{
    if (whole <= 0 || loss < 0 || loss >= whole)
        return -1;
    return 100.0 * (double)loss / (double)(whole - loss);
}
