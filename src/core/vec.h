/*
 * Growable arrays by macro: struct { T *at; size_t n, capacity; }, owned where it is declared.
 *
 *     NSC_VEC(struct row) rows = {0};
 *     *NSC_VEC_ADD(&rows) = row;        NSC_VEC_SORT(&rows, compare);        NSC_VEC_FINI(&rows);
 */
#ifndef NSC_CORE_VEC_H
#define NSC_CORE_VEC_H

#include "core/die.h"

#include <stdlib.h>

#define NSC_VEC(type)       \
    struct {                \
        type *at;           \
        size_t n, capacity; \
    }

/* Adds an uninitialised element; a pointer to it. */
#define NSC_VEC_ADD(vec)                                                                    \
    ((vec)->n == (vec)->capacity                                                            \
         ? (void)((vec)->at = nsc_vec_grow((vec)->at, &(vec)->capacity, sizeof *(vec)->at)) \
         : (void)0,                                                                         \
     &(vec)->at[(vec)->n++])
#define NSC_VEC_CLEAR(vec) ((void)((vec)->n = 0))
#define NSC_VEC_FINI(vec)  (free((vec)->at), (vec)->at = NULL, (vec)->n = (vec)->capacity = 0)

/* Sorts the elements like qsort, which takes no NULL. */
#define NSC_VEC_SORT(vec, compare) \
    ((vec)->n > 1 ? qsort((vec)->at, (vec)->n, sizeof *(vec)->at, compare) : (void)0)

/* Negative, 0 or positive: a goes before, with or after b. For comparisons by several values:
 *     int order = NSC_ORDER(y->total, x->total);      the greatest first
 *     return order ? order : NSC_ORDER(x->id, y->id); */
#define NSC_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static inline void *nsc_vec_grow(void *at, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 8;
    return nsc_xrealloc(at, *capacity, size);
}

#endif
