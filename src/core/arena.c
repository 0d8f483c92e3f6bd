/*
 * Allocates from slabs that are freed all at once.
 */
#include "core/arena.h"

#include "core/die.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct nsc_arena_slab {
    struct nsc_arena_slab *older;
    size_t capacity;
    _Alignas(max_align_t) char bytes[];
};

#ifdef NSC_SMALL
enum { BLOCK_MIN = 64, BLOCK_MAX = 512 };
#else
enum { BLOCK_MIN = 4096, BLOCK_MAX = 1 << 20 };
#endif

/* Doubles the slab size each time: large arenas have few slabs, small ones waste little. */
static void add_slab(struct nsc_arena *arena, size_t n)
{
    size_t capacity = arena->capacity < BLOCK_MAX / 2 ? arena->capacity * 2 : BLOCK_MAX;
    struct nsc_arena_slab *slab = NULL;

    if (capacity < BLOCK_MIN)
        capacity = BLOCK_MIN;
    if (capacity < n)
        capacity = n;
    if (capacity > SIZE_MAX - sizeof *slab)
        nsc_die_oom();
    slab = nsc_xmalloc(sizeof *slab + capacity);
    slab->older = arena->slabs;
    slab->capacity = capacity;
    arena->slabs = slab;
    arena->used = 0;
    arena->capacity = capacity;
    arena->total += capacity;
}

void nsc_arena_fini(struct nsc_arena *arena)
{
    while (arena->slabs) {
        struct nsc_arena_slab *older = arena->slabs->older;

        free(arena->slabs);
        arena->slabs = older;
    }
    *arena = (struct nsc_arena)NSC_ARENA_INIT;
}

void *nsc_arena_add(struct nsc_arena *arena, size_t n)
{
    size_t align = _Alignof(max_align_t);
    size_t rounded = 0;
    char *p = NULL;

    if (n > SIZE_MAX - align)
        nsc_die_oom();
    rounded = (n + align - 1) / align * align;
    if (rounded == 0)
        rounded = align;
    if (!arena->slabs || arena->capacity - arena->used < rounded)
        add_slab(arena, rounded);
    p = arena->slabs->bytes + arena->used;
    arena->used += rounded;
    memset(p, 0, rounded);
    return p;
}

void *nsc_arena_array(struct nsc_arena *arena, size_t n, size_t size)
{
    size_t bytes = 0;

    if (__builtin_mul_overflow(n, size, &bytes))
        nsc_die_oom();
    return nsc_arena_add(arena, bytes);
}

char *nsc_arena_copy(struct nsc_arena *arena, const char *bytes, size_t n)
{
    char *copy = NULL;

    if (n == SIZE_MAX)
        nsc_die_oom();
    copy = nsc_arena_add(arena, n + 1);
    if (n)
        memcpy(copy, bytes, n);
    return copy;
}
