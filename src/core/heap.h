/*
 * A priority queue: a binary heap in the owner's array.
 *
 * Naive meaning: after each call no item of the array comes before at[0]. The owner adds an item at
 * the end, changes the first or replaces it by the last, and then makes the call for it: O(log n).
 * is_before is a strict order. With a constant size and order, the compiler makes a loop of its own for
 * each caller; merging rows of lanes needs that.
 */
#ifndef NSC_CORE_HEAP_H
#define NSC_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NSC_HEAP_ITEM = 64 };

struct nsc_heap {
    void *at;
    size_t n, size; /* items; bytes of an item, at most NSC_HEAP_ITEM */
    bool (*is_before)(const void *context, const void *a, const void *b);
    const void *context; /* of is_before */
};

/* Moves item i down to its place, if it comes after items below it. */
static inline void nsc_heap_sink(struct nsc_heap heap, size_t i)
{
    size_t size = heap.size;
    char *at = heap.at;
    _Alignas(max_align_t) char moving[NSC_HEAP_ITEM];

    memcpy(moving, at + i * size, size);
    for (size_t child; (child = 2 * i + 1) < heap.n; i = child) {
        if (child + 1 < heap.n &&
            heap.is_before(heap.context, at + (child + 1) * size, at + child * size))
            child++;
        if (!heap.is_before(heap.context, at + child * size, moving))
            break;
        memcpy(at + i * size, at + child * size, size);
    }
    memcpy(at + i * size, moving, size);
}

/* The items are in any order. O(n). */
static inline void nsc_heap_init(struct nsc_heap heap)
{
    for (size_t i = heap.n / 2; i-- > 0;)
        nsc_heap_sink(heap, i);
}

/* The last item is new. */
static inline void nsc_heap_add(struct nsc_heap heap)
{
    size_t size = heap.size, i = heap.n - 1;
    char *at = heap.at;
    _Alignas(max_align_t) char moving[NSC_HEAP_ITEM];

    memcpy(moving, at + i * size, size);
    for (; i > 0 && heap.is_before(heap.context, moving, at + (i - 1) / 2 * size); i = (i - 1) / 2)
        memcpy(at + i * size, at + (i - 1) / 2 * size, size);
    memcpy(at + i * size, moving, size);
}

/* The first item, if there is one, is another than before. */
static inline void nsc_heap_set(struct nsc_heap heap)
{
    if (heap.n > 1)
        nsc_heap_sink(heap, 0);
}

#endif
