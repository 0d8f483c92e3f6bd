/*
 * A family of tables from its first row to its last: feeds for its workers, then all of it in
 * order.
 */
#include "core/pages.h"
#include "index/builder_data.h"

#include <assert.h>
#include <string.h>

/* What the family before left goes to the feeds in equal parts. */
static void share_blocks(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;

    while (builder->blocks.n) {
        struct nsc_feed *feed = &family->feeds[builder->blocks.n % family->n_feeds];

        *NSC_VEC_ADD(&feed->spare) = builder->blocks.at[--builder->blocks.n];
    }
}

struct nsc_family *nsc_family_new(struct nsc_builder *builder, unsigned workers)
{
    struct nsc_family *family = nsc_xcalloc(1, sizeof *family);

    family->builder = builder;
    family->n_feeds = workers ? workers : 1;
    family->feeds = nsc_xcalloc(family->n_feeds, sizeof *family->feeds);
    for (unsigned i = 0; i < family->n_feeds; i++)
        nsc_feed_init(&family->feeds[i], family);
    share_blocks(family);
    return family;
}

struct nsc_feed *nsc_family_feed(struct nsc_family *family, unsigned worker)
{
    assert(worker < family->n_feeds);
    return &family->feeds[worker];
}

void nsc_family_discard(struct nsc_family *family, uint32_t first, uint32_t n)
{
    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];
        size_t kept = 0;

        for (size_t i = 0; i < feed->chunks.n; i++) {
            struct nsc_chunk *chunk = &feed->chunks.at[i];

            if (chunk->task >= first && chunk->task - first < n)
                nsc_chunk_fini(chunk);
            else
                feed->chunks.at[kept++] = *chunk;
        }
        feed->chunks.n = kept;
        feed->fresh = true; /* what comes next belongs to no chunk that is left */
    }
}

static void free_family(struct nsc_family *family)
{
    for (uint32_t i = 0; i < family->n_chunks; i++)
        nsc_chunk_fini(&family->chunks[i]);
    for (unsigned i = 0; i < family->n_feeds; i++)
        nsc_feed_fini(&family->feeds[i]);
    for (size_t i = 0; i < family->patterns.n; i++)
        NSC_VEC_FINI(&family->patterns.at[i].seen);
    NSC_VEC_FINI(&family->patterns);
    nsc_idtable_fini(&family->pattern_ids);
    nsc_pages_free(family->order, (size_t)family->n * sizeof *family->order);
    nsc_pages_free(family->lane, (size_t)family->n * sizeof *family->lane);
    free(family->chunks);
    free(family->feeds);
    free(family->span);
    free(family);
}

static int compare_chunks(const void *a, const void *b)
{
    const struct nsc_chunk *x = a;
    const struct nsc_chunk *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* All chunks that hold rows, in the order of tasks. False when there are more rows than numbers for
 * them. */
static bool collect_chunks(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    uint64_t rows = 0;
    size_t n = 0;

    for (unsigned f = 0; f < family->n_feeds; f++)
        n += family->feeds[f].chunks.n;
    family->chunks = nsc_xcalloc(n + 1, sizeof *family->chunks);
    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];

        for (size_t i = 0; i < feed->chunks.n; i++) {
            struct nsc_chunk *chunk = &feed->chunks.at[i];

            rows += chunk->n;
            if (chunk->n)
                family->chunks[family->n_chunks++] = *chunk;
            else
                nsc_chunk_fini(chunk);
        }
        NSC_VEC_CLEAR(&feed->chunks);
    }
    qsort(family->chunks, family->n_chunks, sizeof *family->chunks, compare_chunks);
    family->n = (uint32_t)rows;
    builder->rows_left -= rows < builder->rows_left ? rows : builder->rows_left;
    return rows < NSC_NONE && family->n_chunks <= 1u << (32 - NSC_CHUNK_BITS) &&
           rows + builder->n < NSC_NONE;
}

static bool any_failed(const struct nsc_family *family)
{
    for (unsigned f = 0; f < family->n_feeds; f++)
        if (family->feeds[f].failed)
            return true;
    return false;
}

/* The steps after resolving, each a phase that can be cancelled in between. */
static enum nsc_status build_family(struct nsc_family *family)
{
    static bool (*const phases[])(struct nsc_family *) = {nsc_family_order, nsc_family_counters,
                                                          nsc_family_gather};

    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        if (nsc_progress_cancelled(family->builder->progress))
            return NSC_ECANCELLED;
        if (!phases[i](family))
            return NSC_ENOMEM;
    }
    return NSC_OK;
}

enum nsc_status nsc_family_end(struct nsc_family *family, struct nsc_error *error)
{
    enum nsc_status status = NSC_OK;

    family->first_track = (uint32_t)family->builder->tracks.n;
    if (any_failed(family) || !collect_chunks(family))
        status = NSC_ENOMEM;
    else if (nsc_progress_cancelled(family->builder->progress))
        status = NSC_ECANCELLED;
    else if (family->n) {
        nsc_family_resolve(family);
        status = build_family(family);
    }
    free_family(family);
    if (status == NSC_ENOMEM)
        return nsc_fail(error, status, "not enough memory for the events: try --trim or --gpu");
    if (status == NSC_ECANCELLED)
        return nsc_fail(error, status, "cancelled");
    return status;
}
