/*
 * When the other GPUs of a process run work.
 *
 * A host thread that waits while its GPU is idle and another GPU of its process runs work waits for
 * that one. What all GPUs of a process have in common is computed once, by the store of the scope
 * (base/shared.h). The owner calls fini.
 */
#ifndef NSC_ANALYSIS_OTHER_GPUS_H
#define NSC_ANALYSIS_OTHER_GPUS_H

#include "nsyscope/cover.h"

#include "analysis/base/scope.h"
#include "core/sort.h"

struct nsc_other_gpus {
    const struct nsc_scope *scope;
    uint32_t device;
    bool is_any;   /* the trace has another device */
    bool is_known; /* the rest is of this process */
    uint64_t process;
    struct nsc_process_gpus {
        struct nsc_cover *busy;     /* one GPU or more runs an op of the process */
        struct nsc_cover *many;     /* two or more do */
        struct nsc_sort_pair *ends; /* of its ops with a length: sort key of the end, device */
        size_t n_ends;
    } gpus;                /* empty: the process works on one GPU at most */
    bool is_kept;          /* the store owns gpus */
    struct nsc_cover *own; /* its ops on this device, also those that the scope leaves out; NULL: it
                            * leaves out none */
};

void nsc_other_gpus_init(struct nsc_other_gpus *out, const struct nsc_scope *scope,
                         uint32_t device);
void nsc_other_gpus_fini(struct nsc_other_gpus *of);
/* The first maximal stretch of [t0, t1) in which an op of the process runs on another device. False
 * if there is none. No op of the scope runs on this device in [t0, t1). */
bool nsc_other_gpus_busy(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1,
                         struct nsc_window *stretch);
/* Whether an op of the process that has a length ends on another device in (t0, t1]. */
bool nsc_other_gpus_ended(struct nsc_other_gpus *of, uint64_t process, nsc_time t0, nsc_time t1);

#endif
