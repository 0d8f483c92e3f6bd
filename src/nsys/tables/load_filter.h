/*
 * The limits of a load: times, devices, processes, tables.
 */
#ifndef NSC_NSYS_FILTER_H
#define NSC_NSYS_FILTER_H

#include "nsys/tables/schema.h"

struct nsc_load_filter {
    bool has_trim;
    struct nsc_window trim;
    int64_t *gpus;
    uint32_t n_gpus;
    uint32_t *pids;
    uint32_t n_pids;
    bool excluded[NSC_N_TABLES];
};

/* Copies the options. NSC_EINVAL for an unknown table or family, and for an empty window. */
NSC_NODISCARD enum nsc_status nsc_load_filter_init(struct nsc_load_filter *filter,
                                                   const struct nsc_open_options *options,
                                                   struct nsc_error *error);
void nsc_load_filter_fini(struct nsc_load_filter *filter);

/* Whether rows of wanted tables may be skipped, so that table sizes give no estimate. */
static inline bool nsc_load_filter_cuts_rows(const struct nsc_load_filter *filter)
{
    return filter->has_trim || filter->n_gpus || filter->n_pids;
}

/* Whether the time touches the window; an instant takes 1 ns. */
static inline bool nsc_load_filter_wants_time(const struct nsc_load_filter *filter, nsc_time start,
                                              nsc_time end)
{
    if (!filter->has_trim)
        return true;
    return start < filter->trim.t1 &&
           (end > start ? end > filter->trim.t0 : start >= filter->trim.t0);
}

/* Whether the GPU or process was requested. process: globalPid >> 24. */
bool nsc_load_filter_has_gpu(const struct nsc_load_filter *filter, int64_t device);
bool nsc_load_filter_has_process(const struct nsc_load_filter *filter, uint64_t process);

static inline bool nsc_load_filter_wants_gpu(const struct nsc_load_filter *filter, int64_t device)
{
    return filter->n_gpus == 0 || nsc_load_filter_has_gpu(filter, device);
}

static inline bool nsc_load_filter_wants_process(const struct nsc_load_filter *filter,
                                                 uint64_t process)
{
    return filter->n_pids == 0 || nsc_load_filter_has_process(filter, process);
}

#endif
