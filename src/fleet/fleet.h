/*
 * The ranks of a job as their sketches tell: iterations, and collectives in order.
 *
 * Documents are sketches, or lists of them one a line (a merged file). They are read one after the other; a rank takes
 * a bounded amount of memory, whatever its length. Times are ns on the clock of the rank's export.
 * The owner calls fini.
 */
#ifndef NSC_FLEET_FLEET_H
#define NSC_FLEET_FLEET_H

#include "nsyscope/status.h"

#include "analysis/job/recording_parts.h"
#include "core/json.h"
#include "core/strpool.h"
#include "core/vec.h"

#define NSC_FLEET_ROWS   1024 /* of a rank */
#define NSC_FLEET_CAUSES 8

struct nsc_fleet_interlude {
    nsc_str name;
    uint32_t after; /* row */
};

struct nsc_fleet_rank {
    int64_t number; /* of the file's name, or the place in the order of the documents */
    nsc_str host;
    uint32_t n_rows, of_a_row;
    nsc_time *start; /* by row */
    nsc_time total[NSC_N_PART_CLASSES];
    struct {
        nsc_str word;
        nsc_time total;
    } causes[NSC_FLEET_CAUSES]; /* of idle time */
    uint32_t n_causes;
    uint32_t first_interlude, n_interludes;
};

/* The collectives of one name, communicator and stream of a rank. */
struct nsc_fleet_series {
    nsc_str name;
    uint32_t rank, ordinal; /* ordinal: among those of the same name and communicator of the rank */
    int64_t comm;           /* 0: unknown */
    uint32_t n, every;      /* n: kept; the k-th is the collective k * every */
    size_t first;           /* of start and lasts */
    nsc_time typical;       /* the median duration of a few */
};

struct nsc_fleet {
    struct nsc_strpool texts;
    NSC_VEC(struct nsc_fleet_rank) ranks;
    NSC_VEC(struct nsc_fleet_series) series;
    NSC_VEC(struct nsc_fleet_interlude) interludes;
    NSC_VEC(nsc_time) start;
    NSC_VEC(float) lasts; /* ns */
    uint32_t most;        /* collectives kept of a rank */
    int64_t *scratch;     /* of a column */
};

/* n: expected documents. */
void nsc_fleet_init(struct nsc_fleet *fleet, uint32_t n);
/* Adds the ranks of a parsed sketch. NSC_EFORMAT, with nothing added, if it is none. */
NSC_NODISCARD enum nsc_status
nsc_fleet_add(struct nsc_fleet *fleet, const struct nsc_json_tree *sketch, struct nsc_error *error);
/* After the last document: ranks whose numbers are not their own get their place in the order. */
void nsc_fleet_number(struct nsc_fleet *fleet);
/* The last row that starts at t or before. */
uint32_t nsc_fleet_row_at(const struct nsc_fleet_rank *rank, nsc_time t);
struct nsc_text nsc_fleet_text(const struct nsc_fleet *fleet, nsc_str id);
void nsc_fleet_fini(struct nsc_fleet *fleet);

#endif
