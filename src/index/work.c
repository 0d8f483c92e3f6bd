/*
 * Classifies kernels and streams: compute, communication or copies.
 */
#include "core/threads.h"
#include "index/builder_data.h"
#include "index/kind_work.h"
#include "index/names.h"

enum nsc_op_class nsc_track_work(const struct nsc_build_track *track)
{
    int most = 0;

    for (int i = 1; i < NSC_N_OP_CLASSES; i++)
        if (track->busy[i] > track->busy[most])
            most = i;
    return (enum nsc_op_class)most;
}

/* The meaning of a kernel's name. */
enum name_class { NAME_PLAIN, NAME_COMM, NAME_NCCL, N_NAME_CLASSES };

struct working {
    struct nsc_builder *builder;
    uint8_t *seen;  /* per name: a kernel has it; several threads may set one */
    uint8_t *class; /* per name */
};

/* Only streams hold kernels. */
static bool is_stream(const struct nsc_build_track *track)
{
    return track->key.kind == NSC_TRACK_STREAM && track->n_lanes;
}

static void find_kernels(void *context, unsigned worker, uint32_t t)
{
    const struct working *working = context;
    const struct nsc_builder *builder = working->builder;
    const struct nsc_build_track *track = &builder->tracks.at[t];
    const uint8_t *kind = builder->columns[NSC_COLUMN_KIND].at;
    const uint32_t *name = builder->columns[NSC_COLUMN_NAME].at;
    uint32_t first = nsc_builder_first_row(builder, track);

    (void)worker;
    for (uint32_t i = first; is_stream(track) && i < first + track->n; i++)
        if (kind[i] == NSC_KIND_KERNEL &&
            !__atomic_load_n(&working->seen[name[i]], __ATOMIC_RELAXED))
            __atomic_store_n(&working->seen[name[i]], 1, __ATOMIC_RELAXED);
}

/* Only names of kernels count: a range called "combine" is not communication. */
static void flag_kernels(struct working *working)
{
    struct nsc_builder *builder = working->builder;

    nsc_pool_run(builder->pool, (uint32_t)builder->tracks.n, find_kernels, working);
    for (size_t i = 0; i < builder->names.n; i++) {
        struct nsc_build_name *at = &builder->names.at[i];
        struct nsc_text brief = nsc_strpool_text(&builder->strings, at->brief);

        if (!working->seen[i] ||
            !nsc_comm_is_kernel(nsc_strpool_text(&builder->strings, at->full), brief))
            continue;
        at->flags |= NSC_NAME_COMM;
        working->class[i] = nsc_comm_is_nccl(brief) ? NAME_NCCL : NAME_COMM;
    }
}

static void add_saturating(uint64_t *sum, uint64_t ns)
{
    *sum = *sum > UINT64_MAX - ns ? UINT64_MAX : *sum + ns;
}

static void measure_stream(const struct working *working, struct nsc_build_track *track)
{
    const struct nsc_builder *builder = working->builder;
    const uint8_t *kind = builder->columns[NSC_COLUMN_KIND].at;
    const uint32_t *name = builder->columns[NSC_COLUMN_NAME].at;
    const uint32_t *duration = builder->columns[NSC_COLUMN_DURATION].at;
    uint32_t first = nsc_builder_first_row(builder, track);
    uint64_t ns[NSC_N_KINDS][N_NAME_CLASSES] = {{0}}; /* local sums, because tracks of two threads
                                                       * share cache lines */

    /*
     * Counts a long event as the longest short one and an instant as 1 ns, so that a busy stream is
     * never idle.
     */
    for (uint32_t i = first; i < first + track->n; i++)
        add_saturating(&ns[kind[i]][working->class[name[i]]], duration[i] ? duration[i] : 1);
    for (int k = 0; k < NSC_N_KINDS; k++)
        for (int c = 0; c < N_NAME_CLASSES; c++) {
            enum nsc_op_class work = NSC_OP_COMPUTE;

            if (!nsc_op_class_of_kind(&work, (uint8_t)k, c != NAME_PLAIN))
                continue;
            add_saturating(&track->busy[work], ns[k][c]);
            if (work == NSC_OP_COMM && c == NAME_NCCL)
                add_saturating(&track->nccl, ns[k][c]);
            if (k == NSC_KIND_COPY_PTOP)
                add_saturating(&track->peer, ns[k][c]);
        }
}

static void measure_track(void *context, unsigned worker, uint32_t i)
{
    const struct working *working = context;
    struct nsc_build_track *track = &working->builder->tracks.at[i];

    (void)worker;
    if (is_stream(track))
        measure_stream(working, track);
}

void nsc_builder_measure_work(struct nsc_builder *builder)
{
    struct working working = {builder, nsc_xcalloc(builder->names.n, 1),
                              nsc_xcalloc(builder->names.n, 1)};

    flag_kernels(&working);
    nsc_pool_run(builder->pool, (uint32_t)builder->tracks.n, measure_track, &working);
    free(working.seen);
    free(working.class);
}
