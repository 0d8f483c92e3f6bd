/*
 * Reads the pages of one table b-tree in a database file, and lists its leaf pages in key order.
 *
 * Trusts nothing in the file. A failure is a static text for people; NULL is success.
 */
#ifndef NSC_NSYS_BTREE_H
#define NSC_NSYS_BTREE_H

#include "nsyscope/types.h"

#include "core/progress.h"

/* Prefix of the reasons that only a damaged file gives. */
#define NSC_DAMAGED "damaged: "

#define NSC_BTREE_DEPTH    20
#define NSC_BTREE_PAGE_MAX 65536

struct nsc_btree {
    int fd;
    uint32_t page_size, usable_size;
    uint64_t pages;
    bool auto_vacuum;              /* the file holds pointer-map pages */
    struct nsc_progress *progress; /* may cancel; may be NULL */
};

struct nsc_btree_leaf {
    int64_t
        last; /* greatest row id that may be on this leaf; all ids of earlier leaves are smaller */
    uint32_t page;
};

struct nsc_btree_leaves {
    struct nsc_btree_leaf *at;
    size_t n, capacity;
};

static inline uint32_t nsc_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t nsc_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The offset of a page's b-tree header: on page 1 it follows the file's header. */
static inline uint32_t nsc_btree_header(uint32_t page)
{
    return page == 1 ? 100 : 0;
}

/* Reads up to 9 bytes, which must be readable at p. Returns the bytes used. */
static inline unsigned nsc_varint_read(uint64_t *out, const uint8_t *p)
{
    uint64_t v = p[0] & 0x7f;
    unsigned i = 1;

    for (; p[i - 1] >= 0x80 && i < 8; i++)
        v = v << 7 | (p[i] & 0x7f);
    if (i == 8 && p[7] >= 0x80)
        v = v << 8 | p[i++];
    *out = v;
    return i;
}

/* The bytes that a page's cells take: its content area without free and lost bytes. UINT32_MAX for
 * an impossible header. If the cells take fewer bytes than that, the page has lost one, which
 * SQLite does not notice. */
uint32_t nsc_btree_filled(const uint8_t *page, uint32_t number, uint32_t usable);
/* Reads n pages from the first one, or returns the reason for failing. */
const char *nsc_btree_read(uint8_t *out, const struct nsc_btree *tree, uint32_t first, uint32_t n);
/* Sets auto_vacuum from the file's header. */
const char *nsc_btree_open(struct nsc_btree *tree);
/* Appends the leaf pages below root in key order, each page of the file at most once. */
const char *nsc_btree_list(struct nsc_btree_leaves *out, const struct nsc_btree *tree,
                           uint32_t root);

#endif
