/*
 * Provides columns that are not in the index; reads each set from the export on first use.
 *
 * A set that cannot be read is absent; error keeps the first reason. The owner calls fini; the
 * export and the trace are borrowed until then.
 */
#ifndef NSC_CLI_FIELD_READER_H
#define NSC_CLI_FIELD_READER_H

#include "nsyscope/job.h"

#include "analysis/base/field_sets.h"

#include <pthread.h>

struct nsc_field_reader {
    struct nsc_field_sets sets; /* passed to questions */
    pthread_mutex_t mutex;      /* held while a set is read */
    struct nsc_capture *capture;
    const struct nsc_trace *trace;
    uint32_t capture_no; /* of the capture in the trace; 0 after init */
    struct nsc_fields *read[NSC_N_FIELD_SETS];
    bool is_tried[NSC_N_FIELD_SETS];
    struct nsc_error error;
};

/* reader must not move before fini. capture NULL: several exports; every set is NULL. */
void nsc_field_reader_init(struct nsc_field_reader *reader, struct nsc_capture *capture,
                           const struct nsc_trace *trace);
void nsc_field_reader_fini(struct nsc_field_reader *reader);

/* A reader for each export of a trace, which was loaded from those of the job from the first on. */
struct nsc_field_readers {
    uint32_t n;
    struct nsc_field_reader *at;
    const struct nsc_field_sets **sets;
};
void nsc_field_readers_init(struct nsc_field_readers *readers, const struct nsc_trace *trace,
                            struct nsc_job *job, uint32_t first);
void nsc_field_readers_fini(struct nsc_field_readers *readers);

/* Finds where the ops of CUDA graphs were captured, once, after loading: in a trace of the exports
 * of the job from the first on. Damaged columns leave it unknown. */
NSC_NODISCARD enum nsc_status nsc_find_captures(struct nsc_trace *trace, struct nsc_job *job,
                                                uint32_t first, struct nsc_error *error);

#endif
