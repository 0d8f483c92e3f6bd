/*
 * Orders a family's rows by track, then lane, then start.
 *
 * Most tables hold each track's rows in order. A track is then a few ascending sequences of chunks,
 * merged into ranges without a number per row. sort_by_bucket.c first sorts large tracks without
 * order. Tracks are independent, so the pool takes them in parallel.
 */
#include "core/heap.h"
#include "core/sort.h"
#include "core/threads.h"
#include "index/builder_data.h"

/* An ascending sequence of rows in a track's chunks. */
struct sequence {
    uint32_t chunk, first; /* the next row */
    uint32_t left;
    uint32_t number; /* equal rows stay in the order of their feeding */
};

struct sequences {
    NSC_VEC(struct sequence) at;
};

static bool comes_before(const struct nsc_family *family, const struct sequence *a, uint32_t first,
                         const struct sequence *b)
{
    const struct nsc_chunk *x = &family->chunks[a->chunk];
    const struct nsc_chunk *y = &family->chunks[b->chunk];

    if (a->number < b->number)
        return nsc_chunk_in_order(x, first, y, b->first);
    return !nsc_chunk_in_order(y, b->first, x, first);
}

/* ---- sequences ---- */

static void begin_sequence(struct sequences *sequences, uint32_t chunk, uint32_t first)
{
    uint32_t number = (uint32_t)sequences->at.n;

    *NSC_VEC_ADD(&sequences->at) = (struct sequence){chunk, first, 0, number};
}

/* Adds a chunk's rows to the last sequence; begins a new one where they descend. */
static void add_chunk(struct sequences *sequences, const struct nsc_family *family, uint32_t c)
{
    const struct nsc_chunk *chunk = &family->chunks[c];
    const struct nsc_chunk *before = chunk - 1;
    uint32_t first = 0;

    if (!sequences->at.n || !nsc_chunk_in_order(before, before->n - 1, chunk, 0))
        begin_sequence(sequences, c, 0);
    for (uint32_t i = 1; chunk->descents && i < chunk->n; i++) {
        if (nsc_chunk_in_order(chunk, i - 1, chunk, i))
            continue;
        sequences->at.at[sequences->at.n - 1].left += i - first;
        begin_sequence(sequences, c, i);
        first = i;
    }
    sequences->at.at[sequences->at.n - 1].left += chunk->n - first;
}

/* ---- merging ---- */

static bool sequence_comes_before(const void *family, const void *a, const void *b)
{
    const struct sequence *sequence = a;

    return comes_before(family, sequence, sequence->first, b);
}

/* Counts the rows of the sequence's chunk that come before the other sequence's next row; all if
 * there is no other. At least one. */
static uint32_t measure_ahead(const struct nsc_family *family, const struct sequence *sequence,
                              const struct sequence *other)
{
    uint32_t rest = family->chunks[sequence->chunk].n - sequence->first;
    uint32_t n = 1;

    rest = rest < sequence->left ? rest : sequence->left;
    if (!other || comes_before(family, sequence, sequence->first + rest - 1, other))
        return rest;
    while (comes_before(family, sequence, sequence->first + n, other))
        n++;
    return n;
}

/* Takes rows of the first sequence as long as they come before all others. False at its end. */
static bool take_rows(struct nsc_track_order *order, const struct nsc_family *family,
                      struct sequences *sequences)
{
    struct sequence *sequence = &sequences->at.at[0];
    const struct sequence *other = sequences->at.n > 1 ? &sequences->at.at[1] : NULL;
    uint32_t n = 0;

    if (sequences->at.n > 2 &&
        comes_before(family, &sequences->at.at[2], sequences->at.at[2].first, &sequences->at.at[1]))
        other = &sequences->at.at[2];
    do {
        n = measure_ahead(family, sequence, other);
        *NSC_VEC_ADD(&order->ranges) =
            (struct nsc_chunk_range){sequence->chunk, sequence->first, n};
        sequence->first += n;
        sequence->left -= n;
        if (sequence->left && sequence->first == family->chunks[sequence->chunk].n) {
            sequence->chunk++;
            sequence->first = 0;
        }
    } while (sequence->left && (!other || comes_before(family, sequence, sequence->first, other)));
    return sequence->left > 0;
}

static void merge_sequences(struct nsc_track_order *order, const struct nsc_family *family,
                            struct sequences *sequences)
{
    struct nsc_heap heap = {sequences->at.at, sequences->at.n, sizeof *sequences->at.at,
                            sequence_comes_before, family};

    nsc_heap_init(heap);
    while (sequences->at.n) {
        if (!take_rows(order, family, sequences))
            sequences->at.at[0] = sequences->at.at[--sequences->at.n];
        heap.n = sequences->at.n;
        nsc_heap_set(heap);
    }
}

/* ---- tracks ---- */

struct ordering {
    struct nsc_family *family;
    uint32_t *tracks;                  /* largest first */
    struct nsc_bucket_sorter *sorters; /* per worker */
};

static void order_track(void *context, unsigned worker, uint32_t i)
{
    struct ordering *ordering = context;
    struct nsc_family *family = ordering->family;
    uint32_t t = ordering->tracks[i];
    struct nsc_track_order *order = &family->orders[t];
    struct sequences sequences = {0};

    (void)worker;
    for (uint32_t c = family->first_chunk[t]; c < family->first_chunk[t + 1]; c++)
        add_chunk(&sequences, family, c);
    merge_sequences(order, family, &sequences);
    order->failed = !nsc_track_pack(family, t);
    NSC_VEC_FINI(&sequences.at);
}

static void resort_track(void *context, unsigned worker, uint32_t i)
{
    const struct ordering *ordering = context;
    uint32_t t = ordering->tracks[i];

    if (nsc_track_wants_buckets(ordering->family, t))
        nsc_track_sort_by_bucket(ordering->family, t, &ordering->sorters[worker]);
}

/* Large tracks first, so that no worker is left with one at the end. */
static void queue_tracks(struct ordering *ordering)
{
    const struct nsc_family *family = ordering->family;
    size_t n = family->n_tracks;
    struct nsc_sort_pair *pairs = nsc_xmalloc((2 * n + 1) * sizeof *pairs);

    for (uint32_t t = 0; t < n; t++)
        pairs[t] = (struct nsc_sort_pair){UINT32_MAX - nsc_family_track(family, t)->n, t};
    nsc_sort_pairs(pairs, pairs + n, n);
    for (uint32_t t = 0; t < n; t++)
        ordering->tracks[t] = pairs[t].value;
    free(pairs);
}

static void resort_tracks(struct ordering *ordering)
{
    struct nsc_builder *builder = ordering->family->builder;
    unsigned n = nsc_pool_threads(builder->pool);

    ordering->sorters = nsc_xcalloc(n, sizeof *ordering->sorters);
    nsc_pool_run(builder->pool, ordering->family->n_tracks, resort_track, ordering);
    for (unsigned w = 0; w < n; w++)
        nsc_bucket_sorter_fini(&ordering->sorters[w], builder);
    free(ordering->sorters);
}

static bool order_tracks(struct ordering *ordering)
{
    struct nsc_family *family = ordering->family;

    resort_tracks(ordering);
    for (uint32_t t = 0; t < family->n_tracks; t++)
        if (family->orders[t].failed)
            return false;
    nsc_family_take_resorted(family);
    nsc_pool_run(family->builder->pool, family->n_tracks, order_track, ordering);
    return true;
}

/* Adds the builder's lanes in the order of rows. False if a track failed. */
static bool add_lanes(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    uint32_t first = builder->n;

    for (uint32_t t = 0; t < family->n_tracks; t++) {
        const struct nsc_track_order *order = &family->orders[t];
        struct nsc_build_track *track = nsc_family_track(family, t);

        if (order->failed)
            return false;
        track->first_lane = (uint32_t)builder->lanes.n;
        track->n_lanes = order->n_lanes;
        for (uint32_t i = 0; i < order->n_lanes; i++) {
            uint32_t n = order->rows ? order->rows[i] : track->n;

            *NSC_VEC_ADD(&builder->lanes) = (struct nsc_lane){first, n, family->first_track + t};
            first += n;
        }
    }
    return true;
}

bool nsc_family_order(struct nsc_family *family)
{
    struct ordering ordering = {.family = family};
    bool ok = false;

    family->orders = nsc_xcalloc((size_t)family->n_tracks + 1, sizeof *family->orders);
    ordering.tracks = nsc_xcalloc((size_t)family->n_tracks + 1, sizeof *ordering.tracks);
    queue_tracks(&ordering);
    ok = nsc_family_give_packed(family) && order_tracks(&ordering) && add_lanes(family);
    free(ordering.tracks);
    return ok;
}
