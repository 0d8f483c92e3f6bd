/*
 * Measures how much of a pipeline's communication is hidden behind compute, by rank and stage, as
 * PithTrain's scripts define it (docs/analyses/pithtrain.md).
 *
 * A rank is a process with a label, which is the first range at time 0 or later. Its window is its
 * middle "forward chunk ... backward chunk ..." range; a kernel is in the window if it lies wholly
 * inside. Owned by the caller; the trace and the fields are borrowed.
 */
#ifndef NSC_ANALYSIS_PITH_H
#define NSC_ANALYSIS_PITH_H

#include "nsyscope/status.h"
#include "nsyscope/trace.h"

#include "analysis/names/pith_label.h"
#include "core/sheet.h"
#include "index/fields.h"

struct nsc_pith_query {
    const struct nsc_trace *trace;
    const uint64_t *mask;    /* which kernels count, one bit an event; NULL: all */
    struct nsc_fields *nvtx; /* column 0: end; NULL: no range is known to be open */
    /* Column 0: correlationId. Used only for parity; NULL: each kernel counts once. */
    struct nsc_fields *calls, *kernels;
    bool ranks_only; /* only labels and windows, no kernels */
    bool parity;     /* the scripts' own rules: search 256 ranges back; count a kernel once per call
                      * of its id */
    bool has_window;
    nsc_time start, end; /* window for every rank, instead of its chunk */
    bool has_rank;
    int64_t rank;
};

enum nsc_pith_state {
    NSC_PITH_READY,
    NSC_PITH_LEFT_OUT, /* has no label while others have one, or is not the requested rank */
    NSC_PITH_NO_CHUNK  /* no window */
};

struct nsc_pith_rank {
    uint64_t process;
    uint32_t pid;
    enum nsc_pith_state state;
    bool has_label;
    bool is_open; /* its chunk was never closed; parity: no kernels, else ends at the next chunk */
    int64_t rank; /* from the label; the pid of a process without one */
    struct nsc_pith_label label;
    nsc_event first; /* the range that is or should be its label; NSC_NONE: no ranges */
    nsc_event chunk; /* NSC_NONE: the window was given, or there is none */
    uint32_t n_chunks;
    nsc_time start, end; /* the window, both inclusive */
};

enum nsc_pith_purpose {
    NSC_PITH_COMPUTE,
    NSC_PITH_EP_A2A,
    NSC_PITH_CP_RING,
    NSC_PITH_PP_P2P,
    NSC_PITH_UNKNOWN,
    NSC_PITH_MIXED,
    NSC_N_PITH_PURPOSES
};
const char *nsc_pith_purpose_word(enum nsc_pith_purpose purpose);

struct nsc_pith_stream {
    uint32_t rank; /* index in ranks */
    int64_t stream;
    uint64_t n_comm, n_comp;
    nsc_time comm, comp; /* summed durations */
    enum nsc_pith_purpose purpose;
};

struct nsc_pith_stage {
    uint32_t rank;  /* index in ranks */
    uint8_t number; /* 1 to 5 */
    char pass;      /* 'f', 'b', 'w' */
    uint64_t n;
    nsc_time comm, exposed;
    bool has_spread;    /* some kernel takes time */
    double least, most; /* of its kernels, % hidden */
};

struct nsc_pith {
    const struct nsc_trace *trace;
    bool parity;
    NSC_VEC(struct nsc_pith_rank) ranks;     /* by pid; includes those without a label */
    NSC_VEC(nsc_event) setup;                /* the first ranges, ties included: by pid, file */
    NSC_VEC(struct nsc_pith_stream) streams; /* by rank, stream */
    NSC_VEC(struct nsc_pith_stage) stages;   /* by rank, name */
    uint64_t n_kernels;                      /* in all windows */
};

/* NSC_ENODATA: no NVTX, no kernels, no such rank, or no rank with a window; the text says which.
 * Ranks are filled in as far as known. */
NSC_NODISCARD enum nsc_status
nsc_pith_build(struct nsc_pith *out, const struct nsc_pith_query *query, struct nsc_error *error);
void nsc_pith_fini(struct nsc_pith *pith);

/* ---- as sheets, for the writers ---- */

void nsc_pith_setup_sheet(struct nsc_sheets *out, const struct nsc_pith *pith);
void nsc_pith_window_sheet(struct nsc_sheets *out, const struct nsc_pith *pith);
void nsc_pith_streams_sheet(struct nsc_sheets *out, const struct nsc_pith *pith);

enum nsc_pith_view {                        /* in the order of --view in cli/option.def */
                     NSC_PITH_VIEW_OVERLAP, /* a row for each rank and stage, as the scripts print it */
                     NSC_PITH_VIEW_SUMMARY, /* a row for each stage: medians across ranks, the worst first */
                     NSC_PITH_VIEW_MATRIX,  /* a row a stage, a column a rank */
                     NSC_PITH_VIEW_RANKING, /* the rows of overlap, the most exposed first */
                     NSC_PITH_VIEW_BALANCE, /* a row for each rank: compute and barriers, by pipeline rank */
                     NSC_PITH_VIEW_ALL,
                     NSC_N_PITH_VIEWS
};
/* columns: those of the matrix. The sheets borrow them; free them with free(). */
void nsc_pith_stages_sheet(struct nsc_sheets *out, const struct nsc_pith *pith,
                           enum nsc_pith_view view, struct nsc_sheet_column **columns);

/* ---- the two halves of nsc_pith_build ---- */

/* Fills ranks and setup. */
void nsc_pith_find_ranks(struct nsc_pith *pith, const struct nsc_pith_query *query);
/* Gives the ranks their windows. */
void nsc_pith_find_windows(struct nsc_pith *pith, const struct nsc_pith_query *query);
/* Adds the streams and stages of one rank that is ready. */
void nsc_pith_add_kernels(struct nsc_pith *pith, const struct nsc_pith_query *query, uint32_t rank);

#endif
