/*
 * What kernels and streams are to the overlap figures: compute, communication or copies.
 */
#include "core/threads.h"
#include "index/builder_data.h"
#include "index/comm.h"

bool nsc_work_of_kind(enum nsc_work *out, uint8_t kind, bool comm)
{
    switch (kind) {
    case NSC_KIND_KERNEL:
        *out = comm ? NSC_WORK_COMM : NSC_WORK_COMPUTE;
        return true;
    case NSC_KIND_GRAPH:
        *out = NSC_WORK_COMPUTE;
        return true;
    case NSC_KIND_COPY_HTOD:
        *out = NSC_WORK_HTOD;
        return true;
    case NSC_KIND_COPY_DTOH:
        *out = NSC_WORK_DTOH;
        return true;
    case NSC_KIND_COPY_DTOD:
    case NSC_KIND_COPY_PTOP:
    case NSC_KIND_COPY_OTHER:
        *out = NSC_WORK_PEER;
        return true;
    case NSC_KIND_MEMSET:
        *out = NSC_WORK_MEMSET;
        return true;
    default:
        return false;
    }
}

enum nsc_work nsc_track_work(const struct nsc_build_track *track)
{
    int most = 0;

    for (int i = 1; i < NSC_N_WORK; i++)
        if (track->busy[i] > track->busy[most])
            most = i;
    return (enum nsc_work)most;
}

/* Which names are kernels'; several threads may say so of one. */
struct flagging {
    struct nsc_builder *builder;
    uint8_t *seen; /* each name */
};

static void find_kernels(void *context, unsigned worker, uint32_t t)
{
    const struct flagging *flagging = context;
    const struct nsc_builder *builder = flagging->builder;
    const struct nsc_build_track *track = &builder->tracks.at[t];
    const uint8_t *kind = builder->columns[NSC_COLUMN_KIND].at;
    const uint32_t *name = builder->columns[NSC_COLUMN_NAME].at;
    uint32_t first = nsc_builder_first_row(builder, track);

    (void)worker;
    for (uint32_t i = first; track->n_lanes && i < first + track->n; i++)
        if (kind[i] == NSC_KIND_KERNEL &&
            !__atomic_load_n(&flagging->seen[name[i]], __ATOMIC_RELAXED))
            __atomic_store_n(&flagging->seen[name[i]], 1, __ATOMIC_RELAXED);
}

/* Only names of kernels are looked at: a range called "combine" is no communication. */
static void flag_kernels(struct nsc_builder *builder)
{
    struct flagging flagging = {builder, nsc_xcalloc(builder->names.n, 1)};

    nsc_pool_run(builder->pool, (uint32_t)builder->tracks.n, find_kernels, &flagging);
    for (size_t i = 0; i < builder->names.n; i++) {
        struct nsc_build_name *at = &builder->names.at[i];

        if (flagging.seen[i] && nsc_comm_is_kernel(nsc_strpool_text(&builder->strings, at->full),
                                                   nsc_strpool_text(&builder->strings, at->brief)))
            at->flags |= NSC_NAME_COMM;
    }
    free(flagging.seen);
}

static void add_saturating(uint64_t *sum, uint64_t ns)
{
    *sum = *sum > UINT64_MAX - ns ? UINT64_MAX : *sum + ns;
}

static void measure_stream(struct nsc_builder *builder, struct nsc_build_track *track)
{
    const uint8_t *kind = builder->columns[NSC_COLUMN_KIND].at;
    const uint32_t *name = builder->columns[NSC_COLUMN_NAME].at;
    const uint32_t *duration = builder->columns[NSC_COLUMN_DURATION].at;
    uint32_t first = nsc_builder_first_row(builder, track);
    struct nsc_build_track sums = *track; /* tracks lie too close together to be summed in place */

    for (uint32_t i = first; i < first + track->n; i++) {
        const struct nsc_build_name *at = &builder->names.at[name[i]];
        /* A long event counts as the longest short one, an instant as 1 ns: a busy stream stays
         * one. */
        uint64_t ns = duration[i] ? duration[i] : 1;
        enum nsc_work work = NSC_WORK_COMPUTE;

        if (!nsc_work_of_kind(&work, kind[i], at->flags & NSC_NAME_COMM))
            continue;
        add_saturating(&sums.busy[work], ns);
        if (work == NSC_WORK_COMM &&
            nsc_comm_is_nccl(nsc_strpool_text(&builder->strings, at->brief)))
            add_saturating(&sums.nccl, ns);
        if (kind[i] == NSC_KIND_COPY_PTOP)
            add_saturating(&sums.peer, ns);
    }
    *track = sums;
}

static void measure_track(void *context, unsigned worker, uint32_t i)
{
    struct nsc_builder *builder = context;

    (void)worker;
    if (builder->tracks.at[i].key.kind == NSC_TRACK_STREAM)
        measure_stream(builder, &builder->tracks.at[i]);
}

void nsc_builder_work(struct nsc_builder *builder)
{
    flag_kernels(builder);
    nsc_pool_run(builder->pool, (uint32_t)builder->tracks.n, measure_track, builder);
}
