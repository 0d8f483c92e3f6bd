/*
 * Answers a PithTrain question in order: ranks, windows, kernels. Reports what is missing.
 */
#include "analysis/pith/pith.h"

#include "analysis/base/scope.h"
#include "core/sum.h"

#include <inttypes.h>
#include <string.h>

const char *nsc_pith_purpose_word(enum nsc_pith_purpose purpose)
{
    static const char *const words[NSC_N_PITH_PURPOSES] = {"compute", "ep_a2a",  "cp_ring",
                                                           "pp_p2p",  "unknown", "mixed"};

    return words[purpose];
}

static enum nsc_status check_ranks(const struct nsc_pith *pith, const struct nsc_pith_query *query,
                                   struct nsc_error *error)
{
    bool any = false, ready = false;

    for (size_t i = 0; i < pith->ranks.n; i++) {
        any = any || pith->ranks.at[i].state != NSC_PITH_LEFT_OUT;
        ready = ready || pith->ranks.at[i].state == NSC_PITH_READY;
    }
    if (!any && query->has_rank)
        return nsc_fail(error, NSC_ENODATA, "no rank %" PRId64 "; nsyscope setup lists them",
                        query->rank);
    if (!ready)
        return nsc_fail(error, NSC_ENODATA,
                        "no rank has a range \"forward chunk ... backward chunk ...\"; give a "
                        "window with --start NS --end NS");
    return NSC_OK;
}

/* Fails because a window has no kernels; names where they are. */
static enum nsc_status fail_empty(const struct nsc_trace *trace, struct nsc_error *error)
{
    const struct nsc_events *events = nsc_trace_events(trace);
    struct nsc_window all = {INT64_MAX, INT64_MIN};

    for (nsc_event e = 0; e < events->n; e++)
        if (events->kind[e] == NSC_KIND_KERNEL) {
            all.t0 = nsc_earlier(all.t0, events->start[e]);
            all.t1 = nsc_later(all.t1, nsc_event_end(events, e));
        }
    if (all.t0 > all.t1)
        return nsc_fail(error, NSC_ENODATA, "the export has no kernels");
    return nsc_fail(error, NSC_ENODATA,
                    "0 kernels in the window; give another with --start NS --end NS: the kernels "
                    "run from %" PRId64 " to %" PRId64,
                    all.t0, all.t1);
}

enum nsc_status nsc_pith_build(struct nsc_pith *out, const struct nsc_pith_query *query,
                               struct nsc_error *error)
{
    enum nsc_status status;

    memset(out, 0, sizeof *out);
    out->trace = query->trace;
    out->parity = query->parity;
    if (!nsc_trace_has_tracks(query->trace, NSC_TRACK_NVTX, NSC_TRACK_MARKS))
        return nsc_fail(error, NSC_ENODATA,
                        "no NVTX ranges (table NVTX_EVENTS): capture with --trace=cuda,nvtx");
    nsc_pith_find_ranks(out, query);
    nsc_pith_find_windows(out, query);
    if (query->ranks_only)
        return check_ranks(out, query, error);
    if (!nsc_trace_has_tracks(query->trace, NSC_TRACK_STREAM, NSC_TRACK_STREAM))
        return nsc_fail(error, NSC_ENODATA,
                        "no kernels (table CUPTI_ACTIVITY_KIND_KERNEL): capture with "
                        "--trace=cuda,nvtx");
    status = check_ranks(out, query, error);
    for (uint32_t i = 0; status == NSC_OK && i < out->ranks.n; i++) {
        const struct nsc_pith_rank *rank = &out->ranks.at[i];

        if (rank->state == NSC_PITH_READY && !(rank->is_open && query->parity))
            nsc_pith_add_kernels(out, query, i);
    }
    if (status == NSC_OK && out->n_kernels == 0)
        return fail_empty(query->trace, error);
    return status;
}

void nsc_pith_fini(struct nsc_pith *pith)
{
    NSC_VEC_FINI(&pith->ranks);
    NSC_VEC_FINI(&pith->setup);
    NSC_VEC_FINI(&pith->streams);
    NSC_VEC_FINI(&pith->stages);
}
