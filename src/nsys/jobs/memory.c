/* The allocator for SQLite: if a small allocation fails, it ends the program in order. */
#include "core/die.h"
#include "nsys/jobs/query.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>

enum { SMALL_BYTES = 1 << 20 };

/* Stored before each block; SQLite wants blocks aligned to 8 bytes. */
struct head {
    uint64_t size;
};

static void *fill(struct head *head, int n)
{
    if (!head && n < SMALL_BYTES)
        nsc_die_oom();
    if (!head)
        return NULL;
    head->size = (uint64_t)n;
    return head + 1;
}

static void *take(int n)
{
    return fill(malloc(sizeof(struct head) + (size_t)n), n);
}

static void *resize(void *old, int n)
{
    return fill(realloc((struct head *)old - 1, sizeof(struct head) + (size_t)n), n);
}

static void release(void *block)
{
    if (block)
        free((struct head *)block - 1);
}

static int size_of(void *block)
{
    return block ? (int)((struct head *)block - 1)->size : 0;
}

static int round_up(int n)
{
    return (n + 7) & ~7;
}

static int begin(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void end(void *context)
{
    (void)context;
}

void nsc_memory_init(void)
{
    const struct sqlite3_mem_methods methods = {take,     release, resize, size_of,
                                                round_up, begin,   end,    NULL};

    (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
