/*
 * The ranks of a job as the judge of late ranks needs them: steps, the parts of their time, and collectives in order.
 *
 * They come from exports, one after the other (nsc_fleet_add), from the collectives in reports (nsc_fleet_add_ops), and
 * from sketches (fleet/sketch_read.h). Times are ns on the clock of the rank's export. The owner calls fini.
 */
#ifndef NSC_ANALYSIS_FLEET_H
#define NSC_ANALYSIS_FLEET_H

#include "analysis/job/rank_ops.h"
#include "analysis/job/recording_parts.h"

#define NSC_FLEET_CAUSES 8

struct nsc_fleet_interlude {
    nsc_str name;
    uint32_t after; /* row */
};

struct nsc_fleet_rank {
    int64_t number; /* of the file's name, or the place in the order of the ranks */
    nsc_str host, label;
    uint32_t export_no, pid;
    int64_t gpu;
    int64_t mesh[NSC_N_PARALLELS]; /* as in nsc_rank_place */
    uint32_t n_rows, of_a_row;
    nsc_time *start; /* of each row, a step: an iteration; without iterations, a step ends with a
                      * collective that held the rank up */
    nsc_time total[NSC_N_PART_CLASSES], span; /* span: of which the totals are parts */
    struct {
        nsc_str word;
        nsc_time total;
    } causes[NSC_FLEET_CAUSES]; /* of idle time */
    uint32_t n_causes;
    uint32_t first_interlude, n_interludes;
    float *parts;      /* ns by class, then row; NULL unless the reader of sketches keeps them */
    nsc_str path;      /* of the export, with the parts */
    uint32_t document; /* of its sketch, in their order */
};

/* The collectives of one name, communicator and stream of a rank. */
struct nsc_fleet_series {
    nsc_str name;
    uint32_t rank, ordinal; /* ordinal: among those of the same name and communicator of the rank */
    int64_t comm;           /* 0: unknown */
    enum nsc_parallel parallel; /* that nearly all of them name, and none contradicts */
    bool is_silent;             /* none names one */
    uint32_t n, every;          /* n: kept; the k-th is the collective k * every */
    size_t first;               /* of start and lasts */
    nsc_time typical;           /* the median duration of a few */
};

struct nsc_fleet {
    struct nsc_strpool texts;
    NSC_VEC(struct nsc_rank_export) exports;
    NSC_VEC(struct nsc_fleet_rank) ranks;
    NSC_VEC(struct nsc_fleet_series) series;
    NSC_VEC(struct nsc_fleet_interlude) interludes;
    NSC_VEC(nsc_time) start;
    NSC_VEC(float) lasts;    /* ns */
    NSC_VEC(uint8_t) beside; /* whether the rank computes beside it: not held up */
};

void nsc_fleet_init(struct nsc_fleet *fleet);
/* Adds the ranks of a trace. label: that of a single export; NULL: the trace's own labels. */
void nsc_fleet_add(struct nsc_fleet *fleet, const struct nsc_scope *scope,
                   const struct nsc_field_sets *fields, const char *label);
/* Adds ranks of which only collectives are known. */
void nsc_fleet_add_ops(struct nsc_fleet *fleet, const struct nsc_rank_ops *ops);
/* Whether the rank computes on beside a collective. */
bool nsc_fleet_is_beside(const struct nsc_rank_op *op);
/* Sets the parallelism that nearly all ops of a series name. */
void nsc_fleet_name_parallel(struct nsc_fleet_series *out, const struct nsc_rank_op ops[],
                             uint32_t n);
/* Adds a series whose collectives were added last, from first on. */
void nsc_fleet_add_series(struct nsc_fleet *fleet, struct nsc_fleet_series series,
                          uint32_t first_rank);
/* After the last rank: ranks whose numbers are not their own get their place in the order. */
void nsc_fleet_number(struct nsc_fleet *fleet);
/* The number of a rank by the name of its file: N of "rankN", else the last number in it; -1: none. */
int64_t nsc_fleet_number_in(const char *name);
/* The last row that starts at t or before. */
uint32_t nsc_fleet_row_at(const struct nsc_fleet_rank *rank, nsc_time t);
struct nsc_text nsc_fleet_text(const struct nsc_fleet *fleet, nsc_str id);
/* Frees what a rank owns. */
void nsc_fleet_rank_fini(struct nsc_fleet_rank *rank);
void nsc_fleet_fini(struct nsc_fleet *fleet);

#endif
