/*
 * NVTX ranges as the reports count them: their tags, their nesting, and the ops launched inside.
 *
 * Ranges nest by time over all domains of a thread: the parent of a range is the shortest that
 * contains it. A range launches the ops whose whole call lies inside it, on the same thread
 * (docs/analyses/stats.md). The owner calls fini.
 */
#ifndef NSC_ANALYSIS_STATS_RANGES_H
#define NSC_ANALYSIS_STATS_RANGES_H

#include "analysis/stats/rows.h"
#include "core/buf.h"
#include "core/sum.h"

/* Most open ranges of a thread in which a parent is searched. If more ranges cross each other, the
 * parent is not found. */
#define NSC_STATS_OPEN 4096

/* Most levels that a report counts or lists, from the outermost. Otherwise its cost would grow with
 * the square of the depth. */
#define NSC_STATS_DEEP 256

struct nsc_stats_range {
    nsc_event event;
    uint32_t track; /* of the event */
    nsc_time start, end;
    uint32_t parent;   /* number, NSC_NONE at the top */
    uint32_t level;    /* 0 at the top */
    uint32_t outer;    /* the range around it at level NSC_STATS_DEEP - 1; else itself */
    uint32_t children; /* directly inside */
    nsc_time inside;   /* their summed duration; saturating */
};

/* Whether the columns of NVTX are needed: the trace has a range without a name, or one that may
 * have no end or may end on another thread. */
bool nsc_stats_wants_nvtx(const struct nsc_trace *trace);
/* Whether they are needed of this event of NVTX; a mark's, because it may have an end. Ranges whose
 * columns are not read are closed. */
bool nsc_stats_wants_range(const struct nsc_trace *trace, nsc_event event);

static inline nsc_time nsc_stats_range_duration(const struct nsc_stats_range *range)
{
    return nsc_span(range->start, range->end);
}

/* The end of ranges without one: the latest time of any row in the table. */
nsc_time nsc_stats_last_time(const struct nsc_stats_input *input);
/* The end as exported. A range without one ends at `last`, or at its start if that is later. */
nsc_time nsc_stats_range_end(const struct nsc_stats_input *input,
                             const struct nsc_stats_range *range, nsc_time last);
/* Whether no row of the export has an end, so that durations are unknown. */
bool nsc_stats_has_no_ends(const struct nsc_stats_input *input);

/* ---- tags ---- */

struct nsc_stats_tags {
    const struct nsc_stats_input *input;
    struct nsc_text *domain; /* by track; bytes NULL: the domain has no name */
    struct nsc_buf text;
    char *scratch;
};

void nsc_stats_tags_init(struct nsc_stats_tags *tags, const struct nsc_stats_input *input);
void nsc_stats_tags_fini(struct nsc_stats_tags *tags);
/* "Domain:name"; ":name" in the default domain ("name", as in 2023). False if the range has no name
 * and thus no tag. The text is valid until the next call. */
bool nsc_stats_tag(struct nsc_text *out, struct nsc_stats_tags *tags, nsc_event event);
/* Whether the range has a tag. */
bool nsc_stats_has_tag(const struct nsc_stats_tags *tags, nsc_event event);
/* "PushPop", "StartEnd". */
struct nsc_text nsc_stats_style(uint8_t kind);

/* ---- ranges and the work launched inside ---- */

struct nsc_stats_launch {
    nsc_event op, call; /* call NSC_NONE: unknown */
    uint32_t thread;    /* of the call; NSC_NONE: unknown */
    nsc_time end;       /* of the call */
};

struct nsc_stats_work { /* launched inside a range */
    nsc_time start, end;
    uint32_t ops, children; /* children: ranges directly inside with work of their own */
};

/* Adds the ops of other work, but no children. */
void nsc_stats_work_add(struct nsc_stats_work *to, const struct nsc_stats_work *work);

/* An open range: the range itself is complete when it closes. */
struct nsc_stats_open {
    struct nsc_stats_range range;
    uint32_t number;              /* by thread, start, the longer first, row id */
    uint32_t below;               /* the place of its parent among the open ranges; NSC_NONE at the
                                 * top */
    nsc_time least;               /* least end of this range and all opened before */
    bool nested;                  /* each of these ranges lies inside the one opened before it */
    struct nsc_stats_work passed; /* work for this range and all around it; part of `work` only
                                   * when the range closes */
    struct nsc_stats_work work;   /* if the walk has `outside`; children: left to the visitor */
    uint32_t tag;                 /* left to the visitor, as is has_tag: 0 when the range opens */
    bool has_tag;                 /* tag is set */
};

struct nsc_stats_walk {
    /* Called for each op with the ranges open when its call starts, outermost first; those that end
     * before the call does are among them. Ops come in order of thread and start of the call;
     * those without a call come first, with n 0. NULL: not called. */
    void (*launch)(void *context, const struct nsc_stats_launch *launch,
                   struct nsc_stats_open open[], uint32_t n);
    /* Called for each op with a call that no range is around; each other op is added to the `work`
     * of the ranges around its call. NULL: not called, and no work is added. */
    void (*outside)(void *context, const struct nsc_stats_launch *launch);
    /* Called for each range that has ended, after the ranges inside it. NULL: not called. */
    void (*close)(void *context, const struct nsc_stats_open *range, struct nsc_stats_open *parent);
    void *context;
};

/*
 * Visits ranges and ops of these kinds of GPU work (one bit per kind) in the scope; keeps only the
 * open ranges of one thread. kind: NVTX_RANGE or NVTX_SPAN; UNKNOWN: both; NSC_N_KINDS: both, but
 * only start/end ranges that end on their thread. Ranges of both kinds nest in each other.
 */
void nsc_stats_ranges_walk(const struct nsc_stats_input *input, enum nsc_kind kind, uint32_t ops,
                           const struct nsc_stats_walk *walk);

/* ---- all at once ---- */

struct nsc_stats_ranges {
    const struct nsc_stats_input *input;
    uint32_t n, most;
    struct nsc_stats_range *at; /* by number */
    bool no_ends;               /* no row of the export has an end, so durations are unknown */
};

/* Reserves room for all ranges; adds none. */
void nsc_stats_ranges_init(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input);
/* Adds a range that closes. */
void nsc_stats_ranges_put(struct nsc_stats_ranges *ranges, const struct nsc_stats_open *open);
/* Adds all ranges of a kind. */
void nsc_stats_ranges_load(struct nsc_stats_ranges *ranges, const struct nsc_stats_input *input,
                           enum nsc_kind kind);
void nsc_stats_ranges_fini(struct nsc_stats_ranges *ranges);
/* Replaces out by ":1:2:3": the row ids of the ranges around a range, outermost first, then its
 * own. */
void nsc_stats_stack(struct nsc_buf *out, const struct nsc_stats_ranges *ranges, uint32_t range);

#endif
