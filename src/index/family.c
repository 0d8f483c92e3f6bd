/* The life of a family of tables: feeds for its workers, then ordered rows. */
#include "core/pages.h"
#include "index/builder_data.h"

#include <assert.h>

void nsc_spares_move(struct nsc_spares *to, struct nsc_spares *from)
{
    for (size_t i = 0; i < from->slabs.n; i++)
        *NSC_VEC_ADD(&to->slabs) = from->slabs.at[i];
    for (size_t i = 0; i < from->blocks.n; i++)
        *NSC_VEC_ADD(&to->blocks) = from->blocks.at[i];
    NSC_VEC_FINI(&from->slabs);
    NSC_VEC_FINI(&from->blocks);
}

/* Divides the memory of earlier families equally among the feeds. */
static void divide_spares(struct nsc_family *family)
{
    struct nsc_spares *spares = &family->builder->spares;

    while (spares->slabs.n) {
        struct nsc_feed *feed = &family->feeds[spares->slabs.n % family->n_feeds];

        *NSC_VEC_ADD(&feed->spares.slabs) = spares->slabs.at[--spares->slabs.n];
    }
    while (spares->blocks.n) {
        struct nsc_feed *feed = &family->feeds[spares->blocks.n % family->n_feeds];

        *NSC_VEC_ADD(&feed->spares.blocks) = spares->blocks.at[--spares->blocks.n];
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
    divide_spares(family);
    return family;
}

struct nsc_feed *nsc_family_feed(struct nsc_family *family, unsigned worker)
{
    assert(worker < family->n_feeds);
    return &family->feeds[worker];
}

void nsc_family_remove(struct nsc_family *family, uint32_t first, uint32_t n)
{
    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];
        size_t kept = 0;

        nsc_feed_close(feed);
        for (size_t i = 0; i < feed->chunks.n; i++) {
            struct nsc_chunk *chunk = &feed->chunks.at[i];
            uint32_t task = (uint32_t)(chunk->key >> 32);

            assert(task < first || task - first < n);
            if (task >= first)
                nsc_chunk_fini(chunk);
            else
                feed->chunks.at[kept++] = *chunk;
        }
        feed->chunks.n = kept;
        nsc_feed_remove(feed, (uint64_t)first << 32);
    }
}

static void free_order(struct nsc_family *family, uint32_t track)
{
    struct nsc_track_order *order = &family->orders[track];
    size_t n = nsc_family_track(family, track)->n;

    for (size_t i = 0; i < order->tasks.n; i++)
        free(order->tasks.at[i].before);
    NSC_VEC_FINI(&order->tasks);
    NSC_VEC_FINI(&order->ranges);
    nsc_pages_free(order->lane, n * sizeof *order->lane);
    free(order->rows);
    NSC_VEC_FINI_EACH(&order->chunks, nsc_chunk_fini);
}

/* Returns the memory of slabs and blocks that the rows of later families cannot fill. */
static void drop_spares(struct nsc_builder *builder)
{
    struct nsc_spares *spares = &builder->spares;
    uint64_t room = (uint64_t)spares->slabs.n * NSC_SLAB_ROWS;

    for (; spares->slabs.n && room >= builder->rows_left + NSC_SLAB_ROWS; room -= NSC_SLAB_ROWS)
        nsc_pages_drop(spares->slabs.at[--spares->slabs.n], NSC_SLAB_BYTES);
    room += (uint64_t)spares->blocks.n * NSC_BLOCK_ROWS;
    for (; spares->blocks.n && room >= builder->rows_left + NSC_BLOCK_ROWS; room -= NSC_BLOCK_ROWS)
        nsc_pages_drop(spares->blocks.at[--spares->blocks.n], NSC_BLOCK_BYTES);
}

static void free_family(struct nsc_family *family)
{
    for (uint32_t i = 0; i < family->n_chunks; i++)
        nsc_chunk_fini(&family->chunks[i]);
    for (unsigned i = 0; i < family->n_feeds; i++)
        nsc_feed_fini(&family->feeds[i]);
    drop_spares(family->builder);
    for (size_t i = 0; i < family->patterns.n; i++)
        NSC_VEC_FINI(&family->patterns.at[i].seen);
    NSC_VEC_FINI(&family->patterns);
    nsc_idtable_fini(&family->pattern_ids);
    for (uint32_t t = 0; family->orders && t < family->n_tracks; t++)
        free_order(family, t);
    free(family->orders);
    free(family->first_chunk);
    free(family->first_row);
    free(family->chunks);
    free(family->feeds);
    free(family);
}

/* All chunks of all feeds. False if there are more rows than row numbers. */
static bool collect_chunks(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    uint64_t rows = 0;
    size_t n = 0;

    for (unsigned f = 0; f < family->n_feeds; f++) {
        nsc_feed_close(&family->feeds[f]);
        n += family->feeds[f].chunks.n;
    }
    if (n >= NSC_NONE)
        return false;
    family->chunks = nsc_xcalloc(n + 1, sizeof *family->chunks);
    for (unsigned f = 0; f < family->n_feeds; f++) {
        struct nsc_feed *feed = &family->feeds[f];

        for (size_t i = 0; i < feed->chunks.n; i++) {
            rows += feed->chunks.at[i].n;
            family->chunks[family->n_chunks++] = feed->chunks.at[i];
        }
        NSC_VEC_FINI(&feed->chunks);
    }
    family->n = (uint32_t)rows;
    nsc_builder_skip(builder, rows);
    return rows + builder->n < NSC_NONE;
}

static bool any_failed(const struct nsc_family *family)
{
    for (unsigned f = 0; f < family->n_feeds; f++)
        if (family->feeds[f].failed)
            return true;
    return false;
}

/* The steps after resolving; each is a phase, with a check for cancellation before the next. */
static enum nsc_status build_family(struct nsc_family *family)
{
    static bool (*const phases[])(struct nsc_family *) = {
        nsc_family_order, nsc_family_build_counters, nsc_family_gather};

    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        if (nsc_progress_is_cancelled(family->builder->progress))
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
    else if (nsc_progress_is_cancelled(family->builder->progress))
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
