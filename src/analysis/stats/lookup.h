/*
 * What small tables of the export say of numbers in the reports: devices, threads, labels.
 */
#ifndef NSC_ANALYSIS_STATS_LOOKUP_H
#define NSC_ANALYSIS_STATS_LOOKUP_H

#include "analysis/stats/stats.h"

#define NSC_STATS_DEVICE_BYTES 320

/* "Tesla V100-SXM2-16GB (0)": the name of the GPU and the CUDA device; of a GPU nobody names the
 * number alone. */
struct nsc_text nsc_stats_device(char out[NSC_STATS_DEVICE_BYTES],
                                 const struct nsc_stats_input *input,
                                 const struct nsc_track *track);
/* "Pageable", "Device": by the export's own labels, else by those that are known. */
struct nsc_text nsc_stats_memory_kind(const struct nsc_stats_input *input, int64_t kind);
/* The name of a memory operation as the source tool's labels have it. */
struct nsc_text nsc_stats_memory_name(struct nsc_text name);
/* The row of ThreadNames for a thread; NSC_NONE without any. */
uint32_t nsc_stats_thread(const struct nsc_stats_input *input, const struct nsc_track *track);

#endif
