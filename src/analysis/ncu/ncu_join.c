/* Finds the Nsight Compute results for each kernel of a trace. */
#include "analysis/base/tally.h"
#include "analysis/names/kernel_name.h"
#include "analysis/ncu/ncu_kernels.h"
#include "core/sum.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- the trace's kernels ---- */

struct joining {
    const struct nsc_scope *scope;
    const struct nsc_ncu_kernels *kernels;
    struct nsc_tally sides; /* by name, 0 */
    nsc_time all;
    struct nsc_strpool keys;
    uint32_t *by_key;       /* kernel of Nsight Compute + 1, by key; 0: none; NSC_NONE: several */
    uint32_t *sides_of_key; /* how many of the trace's kernels have this key */
    bool *is_used;          /* a kernel of Nsight Compute has a partner */
};

static void sum_trace(struct joining *joining)
{
    const struct nsc_scope *scope = joining->scope;
    const struct nsc_events *events = nsc_trace_events(scope->trace);

    for (struct nsc_scope_cursor at = nsc_scope_open(scope, NSC_TRACK_BIT(NSC_TRACK_STREAM));
         nsc_scope_next(&at);)
        if (events->kind[at.row] == NSC_KIND_KERNEL)
            nsc_tally_add(&joining->sides, events->name[at.row], 0,
                          nsc_event_duration(events, at.row));
    for (size_t i = 0; i < joining->sides.rows.n; i++)
        joining->all = nsc_sum(joining->all, joining->sides.rows.at[i].total);
}

/* ---- keys: a letter for the strictness, and the name in that form ---- */

enum strictness { AS_IT_IS, PLAIN, SHORT, N_STRICTNESS };

static const char *const match_words[N_STRICTNESS] = {"full name", "plain name", "short name"};

static nsc_str key_of(struct joining *joining, enum strictness how, struct nsc_text name)
{
    struct nsc_buf key = NSC_BUF_INIT(SIZE_MAX);
    nsc_str id = 0;

    nsc_buf_putc(&key, (char)('0' + how));
    if (how == AS_IT_IS)
        nsc_buf_add(&key, name.bytes, name.n);
    else if (how == PLAIN)
        nsc_kernel_plain(&key, name);
    else
        nsc_kernel_base(&key, name);
    id = nsc_strpool_add(&joining->keys, key.bytes, key.n);
    nsc_buf_fini(&key);
    return id;
}

static struct nsc_text name_of_side(const struct joining *joining, const struct nsc_tally_row *side)
{
    const struct nsc_trace *trace = joining->scope->trace;

    return nsc_trace_string(trace, nsc_trace_names(trace)->full[side->key[0]]);
}

static struct nsc_text name_of_kernel(const struct joining *joining, size_t i)
{
    return nsc_strpool_text(&joining->kernels->ncu->texts, joining->kernels->list.at[i].kernel);
}

/* Adds a kernel under its key. Of kernels that differ only in range or device, the longest
 * represents the name. */
static void note_kernel(struct joining *joining, nsc_str key, uint32_t i)
{
    uint32_t other = joining->by_key[key];

    if (other == 0)
        joining->by_key[key] = i + 1;
    else if (other != NSC_NONE &&
             joining->kernels->list.at[other - 1].kernel != joining->kernels->list.at[i].kernel)
        joining->by_key[key] = NSC_NONE;
}

static void index_names(struct joining *joining)
{
    size_t n = joining->kernels->list.n;
    size_t room = (n + joining->sides.rows.n) * N_STRICTNESS + 1;

    nsc_strpool_init(&joining->keys);
    joining->by_key = nsc_xcalloc(room, sizeof *joining->by_key);
    joining->sides_of_key = nsc_xcalloc(room, sizeof *joining->sides_of_key);
    joining->is_used = nsc_xcalloc(n ? n : 1, sizeof *joining->is_used);
    for (int how = 0; how < N_STRICTNESS; how++) {
        for (uint32_t i = 0; i < n; i++)
            note_kernel(joining, key_of(joining, (enum strictness)how, name_of_kernel(joining, i)),
                        i);
        for (uint32_t i = 0; i < joining->sides.rows.n; i++)
            joining->sides_of_key[key_of(joining, (enum strictness)how,
                                         name_of_side(joining, &joining->sides.rows.at[i]))]++;
    }
}

/* The partner of a kernel of the trace; NSC_NONE if there is none. */
static uint32_t find_partner(struct joining *joining, const struct nsc_tally_row *side,
                             enum strictness *how)
{
    for (int h = 0; h < N_STRICTNESS; h++) {
        nsc_str key = key_of(joining, (enum strictness)h, name_of_side(joining, side));
        uint32_t found = joining->by_key[key];

        if (found == 0 || found == NSC_NONE || (h != AS_IT_IS && joining->sides_of_key[key] > 1))
            continue;
        *how = (enum strictness)h;
        return found - 1;
    }
    return NSC_NONE;
}

/* ---- the sheet ---- */

struct joined_row {
    struct nsc_text kernel;
    uint64_t calls;
    nsc_time total, all, mean;
    nsc_time ncu_mean; /* the rest is unknown without a partner */
    double sm, memory, dram;
    const char *bound, *matched_by;
};

static const struct nsc_sheet_column columns[] = {
    NSC_COL_TEXT(joined_row, kernel, "kernel", "Kernel"),
    NSC_COL_COUNT(joined_row, calls, "calls", "Calls"),
    NSC_COL_NS(joined_row, total, "total_ns", "Total"),
    NSC_COL_SHARE(joined_row, total, all, "share_pct", "Share", "summed kernel time of the window"),
    NSC_COL_NS(joined_row, mean, "mean_ns", "Mean"),
    NSC_COL_NS(joined_row, ncu_mean, "ncu_mean_ns", "under ncu"),
    NSC_COL_PERCENT(joined_row, sm, "sm_pct", "SM", "peak compute throughput"),
    NSC_COL_PERCENT(joined_row, memory, "memory_pct", "Memory",
                    "peak throughput of the busiest memory unit"),
    NSC_COL_PERCENT(joined_row, dram, "dram_pct", "DRAM", "peak DRAM throughput"),
    NSC_COL_TEXT(joined_row, bound, "bound", "Bound by"),
    NSC_COL_TEXT(joined_row, matched_by, "matched_by", "Matched by"),
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void fill_counters(struct joined_row *row, const struct nsc_ncu_kernel *kernel)
{
    double mean = kernel->value[NSC_NCU_DURATION] / (double)kernel->calls;

    if (!isnan(mean) && mean <= 9e18)
        row->ncu_mean = (nsc_time)llround(mean);
    row->sm = kernel->value[NSC_NCU_SM];
    row->memory = kernel->value[NSC_NCU_MEMORY];
    row->dram = kernel->value[NSC_NCU_DRAM];
    row->bound = nsc_ncu_bound(kernel);
}

static void add_row(struct nsc_sheet *sheet, struct joining *joining,
                    const struct nsc_tally_row *side)
{
    const double nan = (double)NAN;
    enum strictness how = AS_IT_IS;
    uint32_t partner = find_partner(joining, side, &how);
    struct joined_row row = {.kernel = name_of_side(joining, side),
                             .calls = side->count,
                             .total = side->total,
                             .all = joining->all,
                             .mean = side->total / (nsc_time)side->count,
                             .ncu_mean = NSC_UNKNOWN,
                             .sm = nan,
                             .memory = nan,
                             .dram = nan};

    if (partner != NSC_NONE) {
        joining->is_used[partner] = true;
        fill_counters(&row, &joining->kernels->list.at[partner]);
        row.matched_by = match_words[how];
    }
    NSC_SHEET_ADD_ROW(sheet, &row);
}

static void add_notes(struct nsc_sheet *sheet, const struct joining *joining)
{
    uint32_t unused = 0;

    for (size_t i = 0; i < joining->kernels->list.n; i++)
        unused += !joining->is_used[i];
    nsc_sheet_note(sheet, "%" PRIu32 " of %zu profiled kernels found no partner in the trace.",
                   unused, joining->kernels->list.n);
    nsc_sheet_note(sheet, "Calls, totals and shares are of the window; the counters are of all "
                          "profiled launches of the kernel.");
    nsc_sheet_note(sheet, "Under ncu a kernel runs alone with locked clocks; in the trace it "
                          "shares the device, so the means differ.");
}

void nsc_ncu_join(struct nsc_sheets *out, const struct nsc_ncu_kernels *kernels,
                  const struct nsc_scope *scope)
{
    struct joining joining = {.scope = scope, .kernels = kernels};
    struct nsc_sheet *sheet = nsc_sheets_add(
        out, "joined", "Kernels of the trace with their counters", columns, N_COLUMNS);
    uint32_t *order;

    sheet->has_window = true;
    sheet->window = scope->window;
    sum_trace(&joining);
    index_names(&joining);
    order = nsc_tally_sort(&joining.sides, NSC_TALLY_TOTAL, 1, NULL);
    for (size_t i = 0; i < joining.sides.rows.n; i++)
        add_row(sheet, &joining, &joining.sides.rows.at[order[i]]);
    add_notes(sheet, &joining);
    nsc_strpool_fini(&joining.keys);
    free(order);
    nsc_tally_fini(&joining.sides);
    free(joining.by_key);
    free(joining.sides_of_key);
    free(joining.is_used);
}
