/*
 * The lines of the timeline from top to bottom: the visible tracks and lanes, without folded ones.
 *
 * Rebuilt whenever a fold, the cut or the arrangement changes, never while drawing. Pinned rows
 * come first, then the tracks in the order of the arrangement, each with its lanes in ascending
 * order. A tall row has several consecutive lines. The owner calls fini.
 */
#ifndef NSC_VIEW_MODEL_ROWS_H
#define NSC_VIEW_MODEL_ROWS_H

#include "nsyscope/summary.h"
#include "nsyscope/trace.h"

#include "analysis/ranges/projection.h"
#include "view/model/arrangement.h"

#ifdef NSC_SMALL
#define NSC_ROWS_MAX_LANES  8
#define NSC_ROWS_MAX_GROUPS 6
#else
#define NSC_ROWS_MAX_LANES  256 /* most lines of one track */
#define NSC_ROWS_MAX_GROUPS 64  /* most groups open at first */
#endif

enum nsc_line_kind {
    NSC_LINE_GROUP,     /* header of an export, a device or a thread */
    NSC_LINE_OVERLAP,   /* compute and communication of a device */
    NSC_LINE_IDLE,      /* idle time of a device, by cause */
    NSC_LINE_PROJECTED, /* ranges projected onto a device: index is a lane of the derived */
    NSC_LINE_LANE,
    NSC_LINE_COUNTER,
    NSC_LINE_REST, /* the streams of a device, or the folded threads of an export, with less than
                    * 1 % of the work each, or the silent rows of a thread: track is the first, index
                    * their number */
    NSC_LINE_QUERY /* rows of a query: index is their lane, track is not used */
};

/* Which projected ranges are shown, in the order in which the key cycles. CAPTURED: over the work of
 * CUDA graphs that was captured in them, not over the work that they launched. */
enum nsc_project {
    NSC_PROJECT_FEW,
    NSC_PROJECT_ALL,
    NSC_PROJECT_OFF,
    NSC_PROJECT_CAPTURED,
    NSC_N_PROJECTS
};

struct nsc_line {
    uint32_t track;
    uint32_t lane;       /* lane of an NSC_LINE_LANE, else NSC_NONE */
    uint32_t index;      /* lane within its track */
    uint32_t more;       /* on the last line of a track: lanes left out below it */
    uint8_t kind;        /* enum nsc_line_kind */
    uint8_t part, parts; /* for a tall row: number of the line, and number of lines; else 0, 1 */
};

struct nsc_rows {
    struct nsc_line *at;
    size_t n, capacity;
    size_t n_pinned;   /* lines of pinned rows, which come first; their groups' headers also stay in
                        * place */
    size_t n_hidden;   /* rows hidden by the arrangement in open groups */
    bool every_lane;   /* includes lanes beyond NSC_ROWS_MAX_LANES */
    uint32_t idle;     /* devices have an idle row */
    uint32_t nvtx_cut; /* NVTX levels shown per thread, plus 1; 0: all */
    uint32_t project;  /* enum nsc_project */
    const struct nsc_projection *projection; /* borrowed; NULL: not known */
    /* borrowed: what the filter keeps of the projected ranges; NULL: all */
    const struct nsc_summary *projected;
    const struct nsc_trace *query;  /* borrowed: rows shown above all others; NULL: none */
    const struct nsc_summary *kept; /* borrowed: events of the filter; NULL: all */
    bool dims;                      /* shows lanes without any of them, too */
    const struct nsc_arrangement *arrangement; /* borrowed; NULL: the natural one */
};

/* folds: one bit per track, set for folded groups. */
void nsc_rows_build(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds);
/* The same, with two lines per stream if all lines then still fit into room; room 0: one.
 * arrangement: that of rows. */
void nsc_rows_fill(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds,
                   struct nsc_arrangement *arrangement, size_t room);
void nsc_rows_fini(struct nsc_rows *rows);
/* Opens devices, and threads that use the GPU or NVTX, up to a limit; if there are none, the first
 * group. Several exports get equal shares. */
void nsc_rows_fold_default(uint64_t *folds, const struct nsc_trace *trace);
/* Whether Enter on it folds or opens rows. */
static inline bool nsc_line_folds(const struct nsc_line *line)
{
    return line->kind == NSC_LINE_GROUP || line->kind == NSC_LINE_REST;
}

/* Folds into rows of the rest: of streams by their time in a window, of folded threads by their events
 * in it. Of those that have any, the five busiest, without a GPU the fifteen, have rows of their own; so
 * has a single one. */
void nsc_rows_rest_default(struct nsc_arrangement *arrangement, const struct nsc_trace *trace,
                           const uint64_t *folds, struct nsc_window w);
/* The busy time of a stream in ns, saturating; of a thread, the number of its events. */
nsc_time nsc_rows_work(const struct nsc_trace *trace, const struct nsc_summary *summary,
                       uint32_t track, struct nsc_window w);
/* Whether a line of the rest stands for a track. */
bool nsc_rows_rest_has(const struct nsc_rows *rows, const struct nsc_trace *trace,
                       const struct nsc_line *line, uint32_t track);

/* Whether a track is a device that has work. */
bool nsc_track_works(const struct nsc_trace *trace, uint32_t track);

/* The first line of a line's row, and of the rows above and below (the same row at the ends). line
 * < n. */
size_t nsc_rows_first(const struct nsc_rows *rows, size_t line);
size_t nsc_rows_step(const struct nsc_rows *rows, size_t line, bool down);
/* The pin for a line's row. */
struct nsc_pin nsc_rows_pin(const struct nsc_line *line);
/* The first line of events; 0 if there is none. */
size_t nsc_rows_first_lane(const struct nsc_rows *rows);
/* The first line of the row; n if it is not shown. */
size_t nsc_rows_find_row(const struct nsc_rows *rows, struct nsc_pin row);

/* The line of a lane. If it is hidden: the last line of its track, or the folded header above
 * it. */
size_t nsc_rows_find(const struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t lane);
/* The line of a track, or of the folded header above it. */
size_t nsc_rows_find_track(const struct nsc_rows *rows, const struct nsc_trace *trace,
                           uint32_t track);

#endif
