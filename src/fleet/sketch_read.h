/* Reads sketches into the ranks of a job (analysis/job/fleet.h): a rank takes a bounded amount of memory. */
#ifndef NSC_FLEET_SKETCH_READ_H
#define NSC_FLEET_SKETCH_READ_H

#include "nsyscope/status.h"

#include "analysis/job/fleet.h"
#include "core/json.h"

struct nsc_sketch_reader {
    struct nsc_fleet *fleet;
    uint32_t most;    /* collectives kept of a rank */
    int64_t *scratch; /* of a column; owned */
    bool keeps_parts; /* of each row; set it after init */
};

/* n: expected sketches. */
void nsc_sketch_reader_init(struct nsc_sketch_reader *reader, struct nsc_fleet *fleet, uint32_t n);
/* Adds the ranks of a parsed sketch. NSC_EFORMAT, with nothing added, if it is none. */
NSC_NODISCARD enum nsc_status nsc_sketch_read(struct nsc_sketch_reader *reader,
                                              const struct nsc_json_tree *sketch,
                                              struct nsc_error *error);
void nsc_sketch_reader_fini(struct nsc_sketch_reader *reader);

#endif
