/*
 * A binary heap with the shortest kept event on top.
 */
#include "analysis/base/longest.h"

/* Whether a comes before b in the answer. */
static bool is_before(struct nsc_long_event a, struct nsc_long_event b)
{
    return a.length != b.length ? a.length > b.length : a.event < b.event;
}

static void sift_up(struct nsc_long_event *heap, size_t at)
{
    while (at > 0 && is_before(heap[(at - 1) / 2], heap[at])) {
        struct nsc_long_event swap = heap[at];

        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = swap;
        at = (at - 1) / 2;
    }
}

static void sift_down(struct nsc_long_event *heap, size_t n)
{
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;
        struct nsc_long_event swap = heap[at];

        if (child >= n)
            return;
        if (child + 1 < n && is_before(heap[child], heap[child + 1]))
            child++;
        if (is_before(heap[child], heap[at]))
            return;
        heap[at] = heap[child];
        heap[child] = swap;
        at = child;
    }
}

void nsc_longest_add(struct nsc_longest *longest, nsc_event event, nsc_time length)
{
    struct nsc_long_event offer = {length, event};

    longest->offered++;
    if (longest->limit == 0 || longest->kept.n < longest->limit) {
        *NSC_VEC_ADD(&longest->kept) = offer;
        if (longest->limit > 0)
            sift_up(longest->kept.at, longest->kept.n - 1);
    } else if (is_before(offer, longest->kept.at[0])) {
        longest->kept.at[0] = offer;
        sift_down(longest->kept.at, longest->kept.n);
    }
}

static int compare(const void *a, const void *b)
{
    return is_before(*(const struct nsc_long_event *)a, *(const struct nsc_long_event *)b) ? -1 : 1;
}

void nsc_longest_end(struct nsc_longest *longest)
{
    if (longest->kept.n > 1)
        qsort(longest->kept.at, longest->kept.n, sizeof *longest->kept.at, compare);
}

void nsc_longest_fini(struct nsc_longest *longest)
{
    NSC_VEC_FINI(&longest->kept);
}
