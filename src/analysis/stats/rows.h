/*
 * Shared by reports: which events count, their order, their names and tracks, and the ranked groups
 * of a summary.
 */
#ifndef NSC_ANALYSIS_STATS_ROWS_H
#define NSC_ANALYSIS_STATS_ROWS_H

#include "analysis/base/totals.h"
#include "analysis/stats/stats.h"
#include "core/buf.h"
#include "core/sort.h"
#include "core/strpool.h"

/* ---- cells ---- */

/* Members are set one by one: gcc builds an initializer elsewhere and copies it with loads wider than
 * the stores before, which stall. */

static inline struct nsc_stats_cell nsc_cell_of_int(int64_t value)
{
    struct nsc_stats_cell cell;

    cell.form = NSC_STATS_INT;
    cell.integer = value;
    return cell;
}

static inline struct nsc_stats_cell nsc_cell_of_real(double value)
{
    struct nsc_stats_cell cell;

    cell.form = NSC_STATS_REAL;
    cell.real = value;
    return cell;
}

static inline struct nsc_stats_cell nsc_cell_of_text(struct nsc_text value)
{
    struct nsc_stats_cell cell;

    cell.form = NSC_STATS_STRING;
    cell.text = value;
    return cell;
}

static inline struct nsc_stats_cell nsc_cell_empty(void)
{
    return (struct nsc_stats_cell){.form = NSC_STATS_EMPTY};
}

/* The value of a field; empty if it is not set. */
struct nsc_stats_cell nsc_cell_of_field(const struct nsc_fields *fields, uint32_t column,
                                        uint32_t row);

/* ---- events ---- */

/* Whether the event is in the window and the mask of the input. */
static inline bool nsc_stats_has(const struct nsc_stats_input *input,
                                 const struct nsc_events *events, nsc_event event)
{
    if (input->mask && !nsc_bits_get(input->mask, event))
        return false;
    return !input->has_window || (events->start[event] < input->window.t1 &&
                                  nsc_event_touch_end(events, event) > input->window.t0);
}

struct nsc_stats_list {
    nsc_event *event; /* to be given to free() */
    uint32_t n;
};

/* The counting events of these kinds, by table in the order of kinds (those of one table together)
 * and by row id. */
struct nsc_stats_list nsc_stats_list(const struct nsc_stats_input *input, const uint8_t kinds[],
                                     uint32_t n_kinds);
/* Orders them by start; equal starts keep their order. */
void nsc_stats_by_start(struct nsc_stats_list *list, const struct nsc_events *events);
/* The track of an event. O(log). */
const struct nsc_track *nsc_stats_track(const struct nsc_trace *trace, nsc_event event);
static inline int64_t nsc_stats_pid(const struct nsc_track *track)
{
    return (int64_t)(track->process & 0xffffff);
}
static inline int64_t nsc_stats_tid(const struct nsc_track *track)
{
    return (int64_t)(track->tid & 0xffffff);
}

/* ---- names ---- */

/* Names in the form that the arguments request; looks up each once. */
struct nsc_stats_names {
    const struct nsc_stats_input *input;
    struct nsc_text *kernel, *other; /* by name of the trace; bytes NULL: not looked up yet */
    nsc_str *range;                  /* nvtx-name: nsc_stats_innermost of ranges; else NULL */
    struct nsc_strpool ranges;
    struct nsc_buf both; /* "RANGE/NAME" */
};
void nsc_stats_names_init(struct nsc_stats_names *names, const struct nsc_stats_input *input);
void nsc_stats_names_fini(struct nsc_stats_names *names);
/* A kernel's name in the form that the arguments request; any other event's full text. Borrowed
 * from the trace or the fields; with nvtx-name, a kernel's name is valid until the next call. */
struct nsc_text nsc_stats_name(struct nsc_stats_names *names, nsc_event event);
/* By event: the name (in texts) of the innermost range around the kernel's launch, on the launching
 * thread; NSC_NONE without one. Free with free(). */
nsc_str *nsc_stats_innermost(struct nsc_strpool *texts, const struct nsc_stats_input *input);
/* The whole of a text that was cut on loading, if the export's strings are available. */
struct nsc_text nsc_stats_whole(const struct nsc_stats_input *input, struct nsc_text text);
/* The name without the "_vNNNN" (four digits) of an API call. */
struct nsc_text nsc_stats_call(struct nsc_text name);
/* The name; "" for the placeholder of a text that the export lacks. */
struct nsc_text nsc_stats_known(struct nsc_text name);

/* The positions of texts in the export. */
struct nsc_stats_order {
    struct nsc_strpool texts;
    int64_t *id; /* of each text of the pool */
};
void nsc_stats_order_init(struct nsc_stats_order *order, const struct nsc_stats_input *input);
void nsc_stats_order_fini(struct nsc_stats_order *order);
/* The id of the text in the export's StringIds; INT64_MAX if it is missing there. */
int64_t nsc_stats_order_of(const struct nsc_stats_order *order, struct nsc_text text);

/* ---- groups ---- */

struct nsc_stats_groups {
    uint32_t n;
    const struct nsc_spread *spread; /* n spreads; groups without events are left out */
    /* Fills the cells after the figures, at most 3. */
    void (*label)(const void *context, uint32_t group, struct nsc_stats_cell cells[]);
    int (*compare)(const void *context, uint32_t a, uint32_t b); /* groups of equal total */
    const void *context;
    bool is_size;    /* values are bytes: prints no share of the whole */
    bool is_unknown; /* values are unknown: prints only their count */
};

/* Orders groups by total, the greatest first, and ties by compare. Comparing all takes 1.2 s more for a
 * million groups, of 9 s. */
void nsc_stats_rank(uint32_t *groups, uint32_t n, const struct nsc_spread *spread,
                    int (*compare)(const void *context, uint32_t a, uint32_t b),
                    const void *context);

/* Writes a row per group: share, total, count, mean, median, least, greatest, deviation, labels;
 * the greatest total first. NSC_ENOMEM if spread is NULL, NSC_ENODATA without events. */
enum nsc_status nsc_stats_put_groups(const struct nsc_stats_groups *groups,
                                     const struct nsc_stats_sink *sink);
/* Sets the mean, median, least and greatest value; empty without values. */
void nsc_stats_put_spread(struct nsc_stats_cell cells[4], const struct nsc_spread *spread);
/* Passes the rows list[0, n), or [0, n) without a list, one by one; twice if the sink wants them
 * again. fill gets the number of a row and sets its cells, which are empty. */
void nsc_stats_put_list(const struct nsc_stats_sink *sink, const uint32_t list[], uint32_t n,
                        void (*fill)(void *context, uint32_t row, struct nsc_stats_cell cells[]),
                        void *context);
/* The same for the rows [0, n) in the order of compare; ties by number. most: 0: all. */
void nsc_stats_put_sorted(const struct nsc_stats_sink *sink, uint32_t n, uint32_t most,
                          int (*compare)(const void *context, uint32_t a, uint32_t b),
                          void (*fill)(void *context, uint32_t row, struct nsc_stats_cell cells[]),
                          void *context);

#define NSC_STATS_DEVICE_BYTES 320

/* "Tesla V100-SXM2-16GB (0)": the name of the GPU and the CUDA device; the number alone without a
 * name. */
struct nsc_text nsc_stats_device(char out[NSC_STATS_DEVICE_BYTES],
                                 const struct nsc_stats_input *input,
                                 const struct nsc_track *track);
/* "Pageable", "Device": from the export's own labels, else from known ones. */
struct nsc_text nsc_stats_memory_kind(const struct nsc_stats_input *input, int64_t kind);
/* The name of a memory operation, as the source tool labels it. */
struct nsc_text nsc_stats_memory_name(struct nsc_text name);
/* The row of ThreadNames for a thread; NSC_NONE if it has none. */
uint32_t nsc_stats_thread(const struct nsc_stats_input *input, const struct nsc_track *track);

#define NSC_STATS_SHAPE_BYTES 80

/* "%4d %4d %4d" of three columns of GRID, from column first on; "" unless all are set. */
struct nsc_text nsc_stats_shape(char out[NSC_STATS_SHAPE_BYTES], const struct nsc_fields *grid,
                                uint32_t first, uint32_t row);

#endif
