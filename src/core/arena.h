/*
 * Many small allocations that are freed all at once.
 *
 * The arena owns everything it allocates; nothing is freed singly. No call fails: without memory,
 * nsc_die_oom() ends the program in order (see die.h). The large columns of a trace come from
 * pages.h instead, which reports failure.
 */
#ifndef NSC_CORE_ARENA_H
#define NSC_CORE_ARENA_H

#include <stddef.h>

struct nsc_arena_slab;
struct nsc_arena {
    struct nsc_arena_slab *slabs; /* newest first */
    size_t used, capacity;        /* bytes of the newest slab */
    size_t total;                 /* bytes of all slabs */
};

#define NSC_ARENA_INIT \
    {                  \
        NULL, 0, 0, 0  \
    }

void nsc_arena_fini(struct nsc_arena *arena);
/* n bytes, zeroed, aligned for any type. A valid pointer for n = 0, too. */
void *nsc_arena_add(struct nsc_arena *arena, size_t n);
/* n elements of size bytes, zeroed. Ends the program if n * size overflows. */
void *nsc_arena_array(struct nsc_arena *arena, size_t n, size_t size);
/* A copy of n bytes, followed by a NUL. */
char *nsc_arena_copy(struct nsc_arena *arena, const char *bytes, size_t n);

#define NSC_ARENA_NEW(arena, type)      ((type *)nsc_arena_add((arena), sizeof(type)))
#define NSC_ARENA_ARRAY(arena, type, n) ((type *)nsc_arena_array((arena), (n), sizeof(type)))

#endif
