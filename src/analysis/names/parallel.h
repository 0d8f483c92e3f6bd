/*
 * Which parallelism a communication serves, by the name of an NVTX range around its launch.
 *
 * The name must mention communication ("all_reduce", "send", "dispatch", "group", "grad sync") and
 * exactly one parallelism, as a word of its own ("tp", "dp", "pp", "ep", "cp") or in full
 * ("tensor_model_parallel_group"). A module's name ("DistributedDataParallel.forward") counts as
 * neither, because it contains communication of every kind.
 */
#ifndef NSC_ANALYSIS_PARALLEL_H
#define NSC_ANALYSIS_PARALLEL_H

#include "nsyscope/types.h"

enum nsc_parallel {
    NSC_PARALLEL_UNKNOWN,
    NSC_PARALLEL_TP, /* tensor */
    NSC_PARALLEL_DP, /* data */
    NSC_PARALLEL_PP, /* pipeline */
    NSC_PARALLEL_EP, /* expert */
    NSC_PARALLEL_CP, /* context */
    NSC_N_PARALLELS
};

const char *nsc_parallel_word(enum nsc_parallel of); /* "TP"; NULL: unknown */
enum nsc_parallel nsc_parallel_of(struct nsc_text name);

#endif
