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

/* Drops each element by fini(&element) first. */
#define NSC_VEC_FINI_EACH(vec, fini)             \
    do {                                         \
        for (size_t i_ = 0; i_ < (vec)->n; i_++) \
            fini(&(vec)->at[i_]);                \
        NSC_VEC_FINI(vec);                       \
    } while (0)

static inline void nsc_vec_free_text(char **text)
{
    free(*text);
}

/* Sorts the elements like qsort, which takes no NULL. */
#define NSC_VEC_SORT(vec, compare) \
    ((vec)->n > 1 ? qsort((vec)->at, (vec)->n, sizeof *(vec)->at, compare) : (void)0)

/* Negative, 0 or positive: a goes before, with or after b. */
#define NSC_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a comparison for qsort, by the first of several orders in which x and y differ:
 *     NSC_COMPARE(compare_totals, struct total, NSC_MOST(work) || NSC_LEAST(name)) */
#define NSC_COMPARE(name, type, orders)           \
    static int name(const void *a, const void *b) \
    {                                             \
        const type *x = a;                        \
        const type *y = b;                        \
        int order = 0;                            \
                                                  \
        (void)(orders);                           \
        return order;                             \
    }
/* An order: any comparison of x and y; the least member first; the greatest member first. */
#define NSC_BY(comparison) ((order = (comparison)) != 0)
#define NSC_LEAST(member)  NSC_BY(NSC_ORDER(x->member, y->member))
#define NSC_MOST(member)   NSC_BY(NSC_ORDER(y->member, x->member))

static inline void *nsc_vec_grow(void *at, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 8;
    return nsc_xrealloc(at, *capacity, size);
}

#endif
