/*
 * Keeps the longest events in a heap with the shortest of them first.
 */
#include "analysis/base/longest.h"

#include "core/heap.h"

/* Whether a comes before b in the answer. */
static bool is_before(struct nsc_long_event a, struct nsc_long_event b)
{
    return a.length != b.length ? a.length > b.length : a.event < b.event;
}

static bool is_after(const void *context, const void *a, const void *b)
{
    (void)context;
    return is_before(*(const struct nsc_long_event *)b, *(const struct nsc_long_event *)a);
}

static struct nsc_heap heap_of(const struct nsc_longest *longest)
{
    return (struct nsc_heap){longest->kept.at, longest->kept.n, sizeof *longest->kept.at, is_after,
                             NULL};
}

void nsc_longest_add(struct nsc_longest *longest, nsc_event event, nsc_time length)
{
    struct nsc_long_event offer = {length, event};

    longest->offered++;
    if (longest->limit == 0 || longest->kept.n < longest->limit) {
        *NSC_VEC_ADD(&longest->kept) = offer;
        if (longest->limit > 0)
            nsc_heap_add(heap_of(longest));
    } else if (is_before(offer, longest->kept.at[0])) {
        longest->kept.at[0] = offer;
        nsc_heap_set(heap_of(longest));
    }
}

NSC_COMPARE(compare, struct nsc_long_event, NSC_MOST(length) || NSC_LEAST(event))

void nsc_longest_end(struct nsc_longest *longest)
{
    NSC_VEC_SORT(&longest->kept, compare);
}

void nsc_longest_fini(struct nsc_longest *longest)
{
    NSC_VEC_FINI(&longest->kept);
}
