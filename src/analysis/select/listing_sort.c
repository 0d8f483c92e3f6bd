/*
 * Sorts the rows of a listing by duration or name: computes the keys to sort by.
 */
#include "analysis/select/listing.h"
#include "core/bits.h"
#include "core/die.h"
#include "core/hints.h"
#include "core/pages.h"
#include "core/radix.h"
#include "core/text.h"
#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
enum { TASK_ROWS = 5 };
#else
enum { TASK_ROWS = 4096 };
#endif

/* The rows of a task and their number. */
static uint32_t task_rows(const struct nsc_listing *listing, uint32_t task,
                          uint32_t rows[TASK_ROWS])
{
    uint32_t left = listing->n - task * TASK_ROWS;
    uint32_t n = left < TASK_ROWS ? left : TASK_ROWS;

    nsc_listing_ascending(listing, task * TASK_ROWS, n, rows);
    return n;
}

/* ---- keys ---- */

struct named {
    struct nsc_text text;
    nsc_name name;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    uint32_t n = x->text.n < y->text.n ? x->text.n : y->text.n;

    for (uint32_t i = 0; i < n; i++) {
        int left = (unsigned char)nsc_ascii_lower(x->text.bytes[i]);
        int right = (unsigned char)nsc_ascii_lower(y->text.bytes[i]);

        if (left != right)
            return left - right;
    }
    if (x->text.n != y->text.n)
        return x->text.n < y->text.n ? -1 : 1;
    return memcmp(x->text.bytes, y->text.bytes, n);
}

/* Facts about the rows, one struct per worker. */
struct survey {
    const struct nsc_listing *listing;
    size_t words; /* one bit per name */
    struct found {
        uint64_t *names;  /* NULL: none yet */
        uint32_t longest; /* longest duration outside the side table */
        bool any_long;    /* one is */
        NSC_APART;
    } * found;
};

static void survey_names(void *context, unsigned worker, uint32_t task)
{
    struct survey *survey = context;
    struct found *found = &survey->found[worker];
    const nsc_name *name_of = nsc_trace_events(survey->listing->trace)->name;
    uint32_t rows[TASK_ROWS];
    uint32_t n = task_rows(survey->listing, task, rows);

    if (!found->names)
        found->names = nsc_xcalloc(survey->words, sizeof *found->names);
    for (uint32_t i = 0; i < n; i++)
        nsc_bits_set(found->names, name_of[rows[i]]);
}

static void survey_durations(void *context, unsigned worker, uint32_t task)
{
    struct survey *survey = context;
    const uint32_t *durations = nsc_trace_events(survey->listing->trace)->duration;
    uint32_t rows[TASK_ROWS];
    uint32_t n = task_rows(survey->listing, task, rows);
    uint32_t longest = survey->found[worker].longest;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t duration = durations[rows[i]];

        if (duration == NSC_LONG)
            survey->found[worker].any_long = true;
        else
            longest = duration > longest ? duration : longest;
    }
    survey->found[worker].longest = longest;
}

static void run_survey(struct survey *survey, const struct nsc_listing *listing,
                       struct nsc_pool *pool,
                       void (*task)(void *context, unsigned worker, uint32_t i))
{
    survey->listing = listing;
    survey->words = nsc_bits_words(nsc_trace_names(listing->trace)->n) + 1;
    survey->found = nsc_xcalloc(nsc_pool_threads(pool), sizeof *survey->found);
    nsc_pool_run(pool, listing->n / TASK_ROWS + (listing->n % TASK_ROWS != 0), task, survey);
}

/* The distinct names of the rows. */
static uint32_t gather_names(struct named *out, const struct nsc_listing *listing,
                             struct nsc_pool *pool, bool brief)
{
    const struct nsc_names *names = nsc_trace_names(listing->trace);
    struct survey survey;
    uint32_t n = 0;

    run_survey(&survey, listing, pool, survey_names);
    for (nsc_name name = 0; name < names->n; name++) {
        bool met = false;

        for (unsigned i = 0; i < nsc_pool_threads(pool); i++)
            met |= survey.found[i].names && nsc_bits_get(survey.found[i].names, name);
        if (!met)
            continue;
        out[n].name = name;
        out[n++].text =
            nsc_trace_string(listing->trace, brief ? names->brief[name] : names->full[name]);
    }
    for (unsigned i = 0; i < nsc_pool_threads(pool); i++)
        free(survey.found[i].names);
    free(survey.found);
    return n;
}

/* The rank of each name's text; equal texts share one. */
static uint32_t *rank_names(uint32_t *most, const struct nsc_listing *listing,
                            struct nsc_pool *pool, bool brief)
{
    uint32_t n_names = nsc_trace_names(listing->trace)->n;
    uint32_t *ranks = nsc_xcalloc((size_t)n_names + 1, sizeof *ranks);
    struct named *named = nsc_xmalloc(((size_t)n_names + 1) * sizeof *named);
    uint32_t n = gather_names(named, listing, pool, brief);
    uint32_t rank = 0;

    qsort(named, n, sizeof *named, compare_named);
    for (uint32_t i = 0; i < n; i++) {
        rank += i > 0 && compare_named(&named[i - 1], &named[i]) != 0;
        ranks[named[i].name] = rank;
    }
    free(named);
    *most = rank;
    return ranks;
}

struct keys {
    const struct nsc_listing *listing;
    const struct nsc_events *events;
    uint32_t *ranks; /* of names */
    uint32_t most;
};

/* Keys that sort the longest first; rows of the side table get 0. */
static void tell_durations(const void *context, uint32_t at, uint32_t n, uint64_t pairs[])
{
    const struct keys *keys = context;
    uint32_t rows[NSC_RADIX_BATCH];

    nsc_listing_ascending(keys->listing, at, n, rows);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t duration = keys->events->duration[rows[i]];

        pairs[i] = nsc_radix_pair(duration == NSC_LONG ? 0 : keys->most - duration, rows[i]);
    }
}

static uint32_t longest_key(const struct nsc_listing *listing, struct nsc_pool *pool)
{
    struct survey survey;
    uint32_t longest = 0;
    bool any_long = false;

    run_survey(&survey, listing, pool, survey_durations);
    for (unsigned i = 0; i < nsc_pool_threads(pool); i++) {
        longest = survey.found[i].longest > longest ? survey.found[i].longest : longest;
        any_long |= survey.found[i].any_long;
    }
    free(survey.found);
    return longest + any_long;
}

static void tell_names(const void *context, uint32_t at, uint32_t n, uint64_t pairs[])
{
    const struct keys *keys = context;
    uint32_t rows[NSC_RADIX_BATCH];

    nsc_listing_ascending(keys->listing, at, n, rows);
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = nsc_radix_pair(keys->ranks[keys->events->name[rows[i]]], rows[i]);
}

/* ---- orders ---- */

struct lasting {
    nsc_time duration;
    nsc_event row;
};

NSC_COMPARE(compare_lasting, struct lasting, NSC_MOST(duration) || NSC_LEAST(row))

/* Sorts events of the side table, which come first, all with one key. */
static void order_longs(uint32_t rows[], const struct nsc_listing *listing)
{
    const struct nsc_events *events = nsc_trace_events(listing->trace);
    struct lasting *longs = NULL;
    uint32_t n = 0;

    while (n < listing->n && events->duration[rows[n]] == NSC_LONG)
        n++;
    longs = nsc_xmalloc((size_t)n * sizeof *longs + 1);
    for (uint32_t i = 0; i < n; i++)
        longs[i] = (struct lasting){nsc_event_duration(events, rows[i]), rows[i]};
    if (n > 1)
        qsort(longs, n, sizeof *longs, compare_lasting);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = longs[i].row;
    free(longs);
}

static bool sort_rows(uint32_t out[], const struct nsc_listing *listing, struct nsc_pool *pool,
                      enum nsc_listing_order order, bool brief)
{
    struct keys keys = {listing, nsc_trace_events(listing->trace), NULL, 0};
    bool done = false;

    if (order == NSC_LISTING_NAME) {
        keys.ranks = rank_names(&keys.most, listing, pool, brief);
        done = nsc_radix_sort(out, pool, listing->n, keys.most, tell_names, &keys);
        free(keys.ranks);
        return done;
    }
    keys.most = longest_key(listing, pool);
    done = nsc_radix_sort(out, pool, listing->n, keys.most, tell_durations, &keys);
    if (done)
        order_longs(out, listing);
    return done;
}

bool nsc_listing_sort(struct nsc_listing *listing, struct nsc_pool *pool,
                      enum nsc_listing_order order, bool brief)
{
    size_t bytes = ((size_t)listing->n + 1) * sizeof *listing->rows;
    struct nsc_pool *own = NULL;
    uint32_t *rows = NULL;
    bool done = true;

    if (order != NSC_LISTING_TIME) {
        rows = listing->n <= NSC_LISTING_MAX ? nsc_pages_new(bytes) : NULL;
        if (!rows)
            return false;
        if (!pool)
            pool = own = nsc_pool_new(0);
        done = sort_rows(rows, listing, pool, order, brief);
        nsc_pool_free(own);
    }
    if (!done) {
        nsc_pages_free(rows, bytes);
        return false;
    }
    if (listing->rows)
        nsc_pages_free(listing->rows, listing->rows_bytes);
    listing->rows = rows;
    listing->rows_bytes = bytes;
    listing->order = order;
    return true;
}
