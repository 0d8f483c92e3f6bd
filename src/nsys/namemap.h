/*
 * Remembers which number of a feed stands for which ids of the export, so that a name is hashed
 * once a worker, not once a row.
 */
#ifndef NSC_NSYS_NAMEMAP_H
#define NSC_NSYS_NAMEMAP_H

#include <stdbool.h>
#include <stdint.h>

/* What the ids of a key are. */
enum nsc_name_use {
    NSC_NAME_FREE, /* an empty slot */
    NSC_NAME_KERNEL,
    NSC_NAME_CALL,
    NSC_NAME_PLAIN,
    NSC_NAME_FIXED,
    NSC_NAME_GRAPH,
    NSC_NAME_CPU,
    NSC_NAME_METRIC,
    NSC_NAME_MEMORY
};

struct nsc_named {
    int64_t a, b;
    uint32_t number; /* of the feed */
    uint8_t use;     /* enum nsc_name_use */
    bool missing;    /* the export does not have the string */
    bool wraps;      /* a metric whose large values come out negative */
    bool known;      /* number is set */
};

struct nsc_namemap {
    struct nsc_named *slots;
    uint32_t n, capacity;
};

/* The entry of the key; one that is new is not known yet. Valid until the next call. */
struct nsc_named *nsc_namemap_find(struct nsc_namemap *map, enum nsc_name_use use, int64_t a,
                                   int64_t b);
void nsc_namemap_fini(struct nsc_namemap *map);

#endif
