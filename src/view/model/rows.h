/*
 * The lines of the timeline from top to bottom: which tracks and lanes are shown, with what is
 * folded left out.
 *
 * Built again whenever a fold, the cut or the arrangement changes, never while drawing. Pinned rows
 * come first; behind them the tracks in the order of the arrangement, the lanes of each ascending.
 * A tall row is several lines, one after the other. The owner calls fini.
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
#define NSC_ROWS_MAX_LANES  256 /* lines of one track */
#define NSC_ROWS_MAX_GROUPS 64  /* groups that are open at first */
#endif

enum nsc_line_kind {
    NSC_LINE_GROUP,     /* header of an export, a device or a thread */
    NSC_LINE_OVERLAP,   /* compute against communication of a device */
    NSC_LINE_IDLE,      /* when a device is idle, by cause */
    NSC_LINE_PROJECTED, /* ranges projected onto a device: index is a lane of the shadow */
    NSC_LINE_LANE,
    NSC_LINE_COUNTER,
    NSC_LINE_QUERY /* rows of a query: index is their lane, track is unused */
};

/* Which projected ranges are shown, in the order of the key that changes it. */
enum nsc_project { NSC_PROJECT_FEW, NSC_PROJECT_ALL, NSC_PROJECT_OFF, NSC_N_PROJECTS };

struct nsc_line {
    uint32_t track;
    uint32_t lane;       /* NSC_LINE_LANE: its lane, else NSC_NONE */
    uint32_t index;      /* which lane of its track */
    uint32_t more;       /* on the last line of a track: lanes left out below it */
    uint8_t kind;        /* enum nsc_line_kind */
    uint8_t part, parts; /* of a tall row: which of its lines, how many; else 0, 1 */
};

struct nsc_rows {
    struct nsc_line *at;
    size_t n, capacity;
    size_t n_pinned;   /* lines of pinned rows, the first ones; their groups' headers stay in place
                          too */
    size_t n_hidden;   /* rows that the arrangement hides in groups that are open */
    size_t n_empty;    /* rows left out because of kept */
    bool every_lane;   /* also those beyond NSC_ROWS_MAX_LANES */
    bool idle;         /* devices have an idle row */
    uint32_t nvtx_cut; /* NVTX levels shown of a thread, plus 1; 0: all */
    enum nsc_project project;
    const struct nsc_projection *projection; /* borrowed; NULL: not known */
    const struct nsc_trace *query;  /* borrowed: rows that are shown above all; NULL: none */
    const struct nsc_summary *kept; /* borrowed: lanes without any of its events are left out; NULL:
                                       none are */
    const struct nsc_arrangement *arrangement; /* borrowed; NULL: the natural one */
};

/* folds: a bit a track, set for groups that are folded. */
void nsc_rows_build(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds);
/* The same, with streams of two lines where all lines then still fit into room; room 0: as before.
 * arrangement: that of rows. */
void nsc_rows_fill(struct nsc_rows *rows, const struct nsc_trace *trace, const uint64_t *folds,
                   struct nsc_arrangement *arrangement, size_t room);
void nsc_rows_fini(struct nsc_rows *rows);
/* Devices and threads that use the GPU or NVTX are open, as long as there are not too many, else
 * the first group; of several exports each has as many. */
void nsc_rows_fold_default(uint64_t *folds, const struct nsc_trace *trace);

/* The first line of the row that a line belongs to; of the row above and below (the same one at the
 * ends). line < n. */
size_t nsc_rows_first(const struct nsc_rows *rows, size_t line);
size_t nsc_rows_step(const struct nsc_rows *rows, size_t line, bool down);
/* What pins a line's row. */
struct nsc_pin nsc_rows_pin(const struct nsc_line *line);
/* The first line of the row; n if it is not shown any more. */
size_t nsc_rows_find_row(const struct nsc_rows *rows, struct nsc_pin row);

/* The line of a lane. If it is not shown: the last line of its track, or the folded header above
 * it. */
size_t nsc_rows_find(const struct nsc_rows *rows, const struct nsc_trace *trace, uint32_t lane);
/* The line of a track, or of the folded header above it. */
size_t nsc_rows_find_track(const struct nsc_rows *rows, const struct nsc_trace *trace,
                           uint32_t track);

#endif
