/*
 * Memory that is freed all at once: many small allocations owned by one arena.
 *
 * The arena owns every byte it hands out; nothing is freed singly. Small allocations cannot fail:
 * when the system refuses, nsc_die_oom() ends the program in an orderly way (see die.h). The big
 * columns of a trace do not live here but in pages.h, where refusal is reported.
 */
#ifndef NSC_CORE_ARENA_H
#define NSC_CORE_ARENA_H

#include <stddef.h>

struct nsc_arena_slab;
struct nsc_arena {
    struct nsc_arena_slab *slabs; /* newest first */
    size_t used, capacity;        /* of the newest slab, bytes */
    size_t total;                 /* bytes of all slabs */
};

#define NSC_ARENA_INIT \
    {                  \
        NULL, 0, 0, 0  \
    }

void nsc_arena_fini(struct nsc_arena *arena);
/* n bytes, zeroed, aligned for any type; n = 0 gives a valid pointer. */
void *nsc_arena_add(struct nsc_arena *arena, size_t n);
/* n elements of size bytes, zeroed; ends the program on overflow of n * size. */
void *nsc_arena_array(struct nsc_arena *arena, size_t n, size_t size);
/* A copy of n bytes with a NUL behind them. */
char *nsc_arena_copy(struct nsc_arena *arena, const char *bytes, size_t n);

#define NSC_ARENA_NEW(arena, type)      ((type *)nsc_arena_add((arena), sizeof(type)))
#define NSC_ARENA_ARRAY(arena, type, n) ((type *)nsc_arena_array((arena), (n), sizeof(type)))

#endif
