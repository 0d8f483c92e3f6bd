/*
 * Makes the samples of a family counters: times and values side by side, running totals summed up.
 */
#include "core/pages.h"
#include "index/builder_data.h"

struct values { /* of all counters of a family, one column each */
    nsc_time *time;
    int64_t *value;
};

static int64_t value_of(const struct nsc_family *family, uint32_t raw)
{
    uint64_t low = nsc_family_u32(family, NSC_RAW_LINK, raw);
    uint64_t high = nsc_family_u32(family, NSC_RAW_DURATION, raw);

    return (int64_t)(high << 32 | low);
}

static int64_t add_saturating(int64_t a, int64_t b)
{
    int64_t sum = 0;

    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

/* Copies the samples of one track, which lie at first in order[]. */
static struct nsc_counter copy_samples(const struct nsc_family *family, struct values to,
                                       uint32_t first, const struct nsc_build_track *track)
{
    struct nsc_counter counter = {
        .n = track->n, .time = to.time, .value = to.value, .is_bytes = track->running_total};
    int64_t total = 0;

    for (uint32_t i = 0; i < track->n; i++) {
        uint32_t raw = family->order[first + i];
        int64_t value = value_of(family, raw);

        total = add_saturating(total, value);
        to.time[i] = nsc_family_start(family, raw);
        to.value[i] = track->running_total ? total : value;
        if (i == 0 || to.value[i] < counter.min)
            counter.min = to.value[i];
        if (i == 0 || to.value[i] > counter.max)
            counter.max = to.value[i];
    }
    return counter;
}

static void add_counter(struct nsc_family *family, struct values to, uint32_t first,
                        struct nsc_build_track *track)
{
    struct nsc_builder *builder = family->builder;
    uint32_t name = nsc_family_u32(family, NSC_RAW_NAME, family->order[first]);

    track->counter = (uint32_t)builder->counters.n;
    track->label = builder->names.at[name].full;
    *NSC_VEC_ADD(&builder->counters) = copy_samples(family, to, first, track);
    *NSC_VEC_ADD(&builder->counter_columns) = (struct nsc_column){NULL, 0};
    *NSC_VEC_ADD(&builder->counter_columns) = (struct nsc_column){NULL, 0};
}

bool nsc_family_counters(struct nsc_family *family)
{
    struct nsc_builder *builder = family->builder;
    size_t first_column = builder->counter_columns.n;
    size_t n = family->n - family->n_events;
    struct values all = {NULL, NULL};

    if (!n)
        return true;
    all.time = nsc_pages_new(n * sizeof *all.time);
    all.value = nsc_pages_new(n * sizeof *all.value);
    if (!all.time || !all.value) {
        nsc_pages_free(all.time, n * sizeof *all.time);
        nsc_pages_free(all.value, n * sizeof *all.value);
        return false;
    }
    for (uint32_t t = family->first_track; t < builder->tracks.n; t++) {
        uint32_t first = family->span[t - family->first_track];
        struct values to = {all.time + (first - family->n_events),
                            all.value + (first - family->n_events)};

        if (builder->tracks.at[t].key.kind == NSC_TRACK_COUNTER)
            add_counter(family, to, first, &builder->tracks.at[t]);
    }
    /* The first counter of a family owns the memory of all of them. */
    builder->counter_columns.at[first_column] = (struct nsc_column){all.time, n * sizeof *all.time};
    builder->counter_columns.at[first_column + 1] =
        (struct nsc_column){all.value, n * sizeof *all.value};
    return true;
}
