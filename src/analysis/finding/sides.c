/* Sums ranges and kernels of two sides of iterations by name. */
#include "analysis/finding/sides.h"

#include "analysis/base/tally.h"
#include "analysis/finding/finding_list.h"
#include "analysis/finding/work_size.h"
#include "analysis/names/label.h"
#include "analysis/ranges/launches.h"
#include "core/bisect.h"
#include "core/die.h"
#include "core/text.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>

enum { NEITHER = -1 };

struct named {
    nsc_event like; /* NSC_NONE: none */
    nsc_time ns[2];
    uint32_t count[2];
    uint32_t n[2]; /* iterations with one */
};

struct sides {
    const struct nsc_iteration_stats *stats;
    const struct nsc_scope *scope;
    bool are_slow;                 /* slow ones and others, instead of late ones and early ones */
    struct nsc_launches *launches; /* then; NULL: none are known */
    uint32_t n[2];
    const struct nsc_fields *grids; /* NULL: not read */
    double blocks[2];               /* of the grids of kernels */
    struct named *named;
};

/* 1: slow or late, 0: another, NEITHER. Late and early ones are of the most frequent kind; of a drift the last and the
 * first third. */
static int side_of(const struct sides *sides, uint32_t i)
{
    const struct nsc_iterations *all = &sides->stats->iterations;
    uint32_t first = sides->stats->first, n = sides->stats->n;
    const struct nsc_iteration *it = &all->at[i < all->n ? i : 0];

    if (i < first || i >= first + n)
        return NEITHER;
    if (sides->are_slow)
        return it->slow;
    if (it->kind != 0 || it->warm_up || it->slow)
        return NEITHER;
    if (all->swings > 0)
        return it->period > nsc_iterations_middle(all);
    if (all->shift > 0)
        return i >= all->shift;
    return i >= first + n - n / 3 ? 1 : i < first + n / 3 ? 0 : NEITHER;
}

/* The iteration in which the host is at t; NSC_NONE: before the first. */
static uint32_t host_iteration(const struct nsc_iterations *all, nsc_time t)
{
    uint32_t low = 0;
    uint32_t high = all->n;

    NSC_BISECT(low, high, middle, all->at[middle].host.t0 <= t);
    return low ? low - 1 : NSC_NONE;
}

/* Adds the ranges by the middle of each, or the kernels by their start. Threads come one after the other. */
static void add_names(struct sides *sides, bool is_kernels)
{
    const struct nsc_iterations *all = &sides->stats->iterations;
    const struct nsc_trace *trace = sides->scope->trace;
    const struct nsc_events *events = nsc_trace_events(trace);
    nsc_name *like = is_kernels ? nsc_names_by_brief(trace) : nsc_names_by_fold(trace);
    struct nsc_tally seen = {0}; /* by name and iteration */

    free(sides->named);
    sides->named = nsc_xcalloc((size_t)nsc_trace_names(trace)->n + 1, sizeof *sides->named);
    for (struct nsc_scope_cursor at = nsc_scope_open(
             sides->scope, is_kernels ? NSC_TRACK_BIT(NSC_TRACK_STREAM) : NSC_RANGE_TRACKS);
         nsc_scope_next(&at);) {
        nsc_time ns = nsc_event_duration(events, at.row);
        nsc_time start = events->start[at.row];
        uint32_t i =
            is_kernels ? nsc_iterations_at(all, start) : host_iteration(all, start + ns / 2);
        struct named *name = &sides->named[like[events->name[at.row]]];
        uint32_t n = (uint32_t)seen.rows.n;
        uint8_t kind = events->kind[at.row];
        int side = side_of(sides, i);

        if (side == NEITHER || (is_kernels && kind != NSC_KIND_KERNEL && kind != NSC_KIND_GRAPH))
            continue;
        if (sides->launches && side == 1) /* what it launches may run after it */
            ns = nsc_later(ns, nsc_launches_measure(sides->launches,
                                                    nsc_launches_inside(sides->launches, at.row))
                                   .work);
        name->like = at.row;
        name->ns[side] = nsc_sum(name->ns[side], ns);
        name->count[side]++;
        if (sides->grids && kind == NSC_KIND_KERNEL)
            sides->blocks[side] += nsc_kernel_blocks(sides->grids, at.row);
        if (!is_kernels)
            name->n[side] += nsc_tally_group(&seen, (uint64_t)(name - sides->named), i) == n;
    }
    nsc_tally_fini(&seen);
    free(like);
}

static uint32_t n_names(const struct sides *sides)
{
    return nsc_trace_names(sides->scope->trace)->n;
}

nsc_event nsc_slow_range_find(const struct nsc_iteration_stats *stats,
                              const struct nsc_scope *scope, nsc_time more)
{
    struct sides sides = {.stats = stats, .scope = scope, .are_slow = true};
    struct named best = {.like = NSC_NONE, .ns = {0, more / 2}};

    sides.launches = nsc_launches_ask(scope);
    add_names(&sides, false);
    nsc_launches_free(sides.launches);
    for (uint32_t i = 0; i < n_names(&sides); i++) {
        const struct named *name = &sides.named[i];

        if (name->ns[1] > best.ns[1] && name->n[1] >= NSC_SHARE(NEARLY_ALL) * stats->n_slow &&
            name->n[0] <= (1 - NSC_SHARE(NEARLY_ALL)) * (stats->n_counted - stats->n_slow))
            best = *name;
    }
    free(sides.named);
    return best.like;
}

/* ---- what grows ---- */

/* Counts the early and the late iterations. */
static void count_sides(struct sides *sides, struct nsc_growth *out)
{
    uint32_t first = sides->stats->first;

    for (uint32_t i = first; i < first + sides->stats->n; i++) {
        int side = side_of(sides, i);

        if (side == NEITHER)
            continue;
        if (side == 1)
            out->late = i;
        else if (sides->n[0] == 0)
            out->early = i;
        sides->n[side]++;
    }
}

/* The mean time of each part in an iteration of a side, over the GPUs. Returns the mean period; 0: no iterations. */
static double measure_parts(double ns[NSC_N_ITERATION_PARTS], const struct sides *sides, int side)
{
    const struct nsc_iteration_stats *stats = sides->stats;
    double period = 0;

    for (uint32_t i = 0; i < stats->n; i++) {
        if (side_of(sides, stats->first + i) != side)
            continue;
        period += (double)stats->iterations.at[stats->first + i].period / sides->n[side];
        for (unsigned k = 0; k < NSC_N_ITERATION_PARTS && stats->n_devices > 0; k++)
            ns[k] += (double)nsc_iteration_part(stats, i, k) / sides->n[side] / stats->n_devices;
    }
    return period;
}

/* The time of a name in a mean iteration of a side. */
static double mean_of(const struct sides *sides, const struct named *name, int side)
{
    return (double)name->ns[side] / sides->n[side];
}

/* The innermost range of nearly all late iterations that grows by most of a growth: the one with the
 * least time. NULL: none but the iteration's own. */
static const struct named *find_growing_range(struct sides *sides, double growth)
{
    const nsc_name *names = nsc_trace_events(sides->scope->trace)->name;
    nsc_event own = sides->stats->iterations.at[0].event;
    const struct named *best = NULL;

    add_names(sides, false);
    for (uint32_t k = 0; k < n_names(sides); k++) {
        const struct named *name = &sides->named[k];

        if (mean_of(sides, name, 1) - mean_of(sides, name, 0) >= NSC_SHARE(MOST) * growth &&
            name->n[1] >= NSC_SHARE(NEARLY_ALL) * sides->n[1] &&
            (own == NSC_NONE || names[name->like] != names[own]) &&
            (!best || name->ns[1] < best->ns[1]))
            best = name;
    }
    return best;
}

/* How the clock of the GPU changes with the sides; 0: not recorded. */
static double clock_ratio(const struct sides *sides)
{
    uint32_t n_counters = 0;
    const struct nsc_trace *trace = sides->scope->trace;
    const struct nsc_counter *counters = nsc_trace_counters(trace, &n_counters);
    double sum[2] = {0}, n[2] = {0};

    for (const struct nsc_counter *c = counters; c < counters + n_counters; c++) {
        nsc_str label = nsc_trace_track(trace, c->track)->label;

        if (!nsc_text_contains_folded(nsc_trace_string(trace, label), nsc_text_from("gpc clock")))
            continue;
        for (uint32_t k = 0; k < c->n; k++) {
            int side = side_of(sides, nsc_iterations_at(&sides->stats->iterations, c->time[k]));

            if (side == NEITHER)
                continue;
            sum[side] += (double)c->value[k];
            n[side]++;
        }
    }
    return sum[0] > 0 && n[1] > 0 ? sum[1] / n[1] / (sum[0] / n[0]) : 0;
}

/* The time of kernels in a mean iteration. */
struct kernels {
    double before, longer,
        more;     /* of the early side; by which these take longer; of further ones */
    double alike; /* of those before that grow by at least half of the mean growth */
    double most;  /* by which `top` takes longer, the one of them that grows most */
    const struct named *top;
};

/* The names are those of kernels. */
static struct kernels compare_kernels(const struct sides *sides)
{
    struct kernels of = {0};

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < n_names(sides); k++) {
            const struct named *name = &sides->named[k];
            double before = mean_of(sides, name, 0);
            double after = mean_of(sides, name, 1);
            double same = before; /* as many as before, each as long as after */

            if (name->count[0] > 0 && name->count[1] > 0)
                same = (double)name->ns[1] / name->count[1] * name->count[0] / sides->n[0];
            if (pass > 0) {
                of.alike += same >= before * (1 + of.longer / of.before / 2) ? before : 0;
                continue;
            }
            of.top = same - before > of.most ? name : of.top;
            of.most = fmax(of.most, same - before);
            of.before += before;
            of.longer += same - before;
            of.more += after - same;
        }
    return of;
}

/* Says how the kernels differ if compute grows. */
static void say_kernels(struct nsc_buf *out, struct sides *sides, double growth)
{
    struct kernels of = compare_kernels(sides);
    const struct nsc_trace *trace = sides->scope->trace;
    const struct nsc_names *names = nsc_trace_names(trace);
    double clock = clock_ratio(sides);
    bool is_all = of.alike >= NSC_SHARE(NEARLY_ALL) * of.before;

    if (of.more >= NSC_SHARE(MOST) * growth)
        nsc_buf_puts(out, ": more kernels run, or others");
    if (of.longer < NSC_SHARE(MOST) * growth)
        return;
    if (!is_all && of.most >= NSC_SHARE(MOST) * of.longer) {
        nsc_name top = nsc_trace_events(trace)->name[of.top->like];

        nsc_buf_printf(out, ": %s takes %.0f %% longer",
                       nsc_show(nsc_trace_string(trace, names->brief[top])).text,
                       100 * of.most / mean_of(sides, of.top, 0));
        return;
    }
    nsc_buf_printf(out, ": the same kernels take %.0f %% longer%s", 100 * of.longer / of.before,
                   is_all ? ", nearly all of them" : "");
    if (clock > 0)
        nsc_buf_printf(out, "; the clock of the GPU: %+.0f %%", 100 * (clock - 1));
    else
        nsc_buf_puts(out,
                     "; whether by lower clocks (power, temperature), by their data or by others "
                     "that use the GPU is not recorded");
}

/* Appends "from 1 ms to 2 ms". */
static void say_times(struct nsc_buf *out, double before, double after, bool ascii)
{
    char text[2][NSC_UNITS_BYTES];

    nsc_units_duration(text[0], (nsc_time)before, ascii);
    nsc_units_duration(text[1], (nsc_time)after, ascii);
    nsc_buf_printf(out, "from %s to %s", text[0], text[1]);
}

/* Says which part of the period grows most, and what in it. */
static void say_part(struct nsc_buf *out, struct sides *sides, double ns[2][NSC_N_ITERATION_PARTS],
                     bool ascii)
{
    const struct named *range = NULL;
    double growth[NSC_N_ITERATION_PARTS], whole = 0;
    unsigned most = 0;

    for (unsigned k = 0; k < NSC_N_ITERATION_PARTS; k++) {
        growth[k] = ns[1][k] - ns[0][k];
        whole += growth[k];
        most = growth[k] > growth[most] ? k : most;
    }
    nsc_buf_printf(out, "%s, ", nsc_iteration_part_word(most));
    say_times(out, ns[0][most], ns[1][most], ascii);
    nsc_buf_puts(out, " an iteration");
    if (growth[most] < NSC_SHARE(MOST) * whole)
        nsc_buf_puts(out, ", less than half of it");
    else if (most == NSC_ITERATION_PART_COMPUTE)
        say_kernels(out, sides, growth[most]);
    else if (most == NSC_ITERATION_PART_IDLE)
        range = find_growing_range(sides, growth[most]);
    if (range) {
        nsc_buf_printf(out, ", most in the NVTX range %s, ",
                       nsc_show_range(sides->scope->trace, range->like, true).text);
        say_times(out, mean_of(sides, range, 0), mean_of(sides, range, 1), ascii);
    }
}

/* Says how the work grows, if that explains at least half of the longer period, since a part of the time is
 * fixed. longer: the late period for each early one. */
static void say_work(struct nsc_growth *out, struct sides *sides, double longer)
{
    double least = 1 + (longer - 1) / 2;
    double blocks;

    add_names(sides, true);
    blocks = sides->blocks[1] / sides->n[1] / (sides->blocks[0] / sides->n[0]);
    if (!nsc_texts_grow(&out->text, sides->scope->trace, &sides->stats->iterations, out->early,
                        out->late, least) &&
        blocks >= least)
        nsc_buf_printf(&out->text, "the grids of the kernels grow by %.0f %%", 100 * (blocks - 1));
    out->is_work = out->text.n > 0;
}

void nsc_growth_find(struct nsc_growth *out, const struct nsc_iteration_stats *stats,
                     const struct nsc_scope *scope, const struct nsc_field_sets *fields, bool ascii)
{
    double ns[2][NSC_N_ITERATION_PARTS] = {{0}}, period[2] = {0};
    struct sides sides = {.stats = stats, .scope = scope};

    *out = (struct nsc_growth){.text = NSC_BUF_INIT(SIZE_MAX)};
    count_sides(&sides, out);
    if (nsc_trace_events(scope->trace)->n <= NSC_GRIDS_MOST)
        sides.grids = nsc_field_set(fields, NSC_FIELDS_KERNELS);
    for (int side = 0; side < 2; side++)
        period[side] = measure_parts(ns[side], &sides, side);
    if (period[0] > 0 && period[1] > period[0])
        say_work(out, &sides, period[1] / period[0]);
    if (period[0] > 0 && period[1] > period[0] && stats->n_devices > 0 && !out->is_work)
        say_part(&out->text, &sides, ns, ascii);
    free(sides.named);
}
