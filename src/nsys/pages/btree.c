/*
 * Walks the interior pages of a table b-tree, without recursion, and lists its leaf pages.
 *
 * The keys of interior cells must ascend strictly in the order of the walk. That holds in every
 * sound file, and stops a walk through a damaged one from visiting a page twice.
 */
#include "nsys/pages/btree.h"

#include "core/die.h"
#include "core/vec.h"
#include "nsys/pages/check.h"

#include <stdlib.h>

#define INTERIOR 0x05
#define LEAF     0x0d
#define SLACK    16 /* reading a varint at the end of a page may go past it */

/* One interior page on the way from the root. */
struct level {
    uint8_t *page;
    const uint8_t *cells; /* the array of cell pointers */
    uint32_t right;       /* the last child */
    uint32_t n, next;     /* number of cells; the next child to visit, n: right */
    uint32_t filled, met; /* bytes of its cells according to its header; of the cells visited */
};

struct walk {
    const struct nsc_btree *tree;
    struct level level[NSC_BTREE_DEPTH];
    unsigned used;      /* levels */
    unsigned depth;     /* of the leaves; 0: unknown */
    uint64_t n_visited; /* pages */
    int64_t key;        /* the last interior key */
    bool has_key;
};

const char *nsc_btree_read(uint8_t *out, const struct nsc_btree *tree, uint32_t first, uint32_t n)
{
    size_t want = (size_t)n * tree->page_size;
    ssize_t got = nsc_check_read(tree->fd, out, want, (off_t)(first - 1) * (off_t)tree->page_size);

    if (got < 0)
        return "a page cannot be read";
    return (size_t)got < want ? "the file ends early" : NULL;
}

const char *nsc_btree_open(struct nsc_btree *tree)
{
    uint8_t *page = NULL;
    const char *why = NULL;

    if (tree->page_size < 512 || tree->page_size > NSC_BTREE_PAGE_MAX ||
        tree->usable_size > tree->page_size || tree->usable_size < 480)
        return "an unusual page size";
    page = nsc_xmalloc(tree->page_size);
    why = nsc_btree_read(page, tree, 1, 1);
    tree->auto_vacuum = !why && nsc_be32(page + 52) != 0;
    free(page);
    return why;
}

/* The bytes in the free blocks of a page, a chain in ascending order; UINT32_MAX for a broken
 * chain. */
static uint32_t measure_free(const uint8_t *page, uint32_t header, uint32_t usable)
{
    uint32_t bytes = 0;
    uint32_t least = header + 8;

    for (uint32_t at = nsc_be16(page + header + 1); at;) {
        uint32_t n;

        if (at < least || at + 4 > usable)
            return UINT32_MAX;
        n = nsc_be16(page + at + 2);
        if (n < 4 || at + n > usable)
            return UINT32_MAX;
        bytes += n;
        least = at + n;
        at = nsc_be16(page + at);
    }
    return bytes;
}

uint32_t nsc_btree_filled(const uint8_t *page, uint32_t number, uint32_t usable)
{
    uint32_t header = nsc_btree_header(number);
    uint32_t content = nsc_be16(page + header + 5);
    uint32_t lost = page[header + 7];
    uint32_t unused = measure_free(page, header, usable);

    content = content ? content : 65536;
    if (content > usable || unused == UINT32_MAX || unused + lost > usable - content)
        return UINT32_MAX;
    return usable - content - unused - lost;
}

/* Reads a page as the next level. Sets *is_leaf for a leaf, which is not kept. */
static const char *open_level(struct walk *walk, uint32_t number, bool *is_leaf)
{
    const struct nsc_btree *tree = walk->tree;
    struct level *level = &walk->level[walk->used];
    const uint8_t *header = NULL;
    const char *why = NULL;

    if (walk->used == NSC_BTREE_DEPTH)
        return NSC_DAMAGED "the tree is too deep";
    if (!level->page)
        level->page = nsc_xcalloc(1, tree->page_size + SLACK);
    why = nsc_btree_read(level->page, tree, number, 1);
    if (why)
        return why;
    header = level->page + nsc_btree_header(number);
    *is_leaf = header[0] == LEAF;
    if (*is_leaf)
        return NULL;
    if (header[0] != INTERIOR)
        return header[0] == 0x02 || header[0] == 0x0a ? "a table without row ids"
                                                      : NSC_DAMAGED "not a page of a table";
    level->cells = header + 12;
    level->n = nsc_be16(header + 3);
    level->next = 0;
    level->met = 0;
    level->filled = nsc_btree_filled(level->page, number, tree->usable_size);
    level->right = nsc_be32(header + 8);
    if (level->n == 0 || level->n * 6 + 8 > tree->page_size ||
        (size_t)(level->cells - level->page) + 2 * (size_t)level->n > tree->usable_size)
        return NSC_DAMAGED "an interior page with a wrong number of cells";
    walk->used++;
    return NULL;
}

/* The next child of the level; checks its key against the last one. */
static const char *next_child(struct walk *walk, struct level *level, uint32_t *child)
{
    uint32_t at = 0;
    uint64_t bits = 0;
    unsigned n = 0;
    int64_t key = 0;

    if (level->next == level->n && level->met != level->filled)
        return NSC_DAMAGED "an interior page that its cells do not fill";
    if (level->next == level->n) {
        level->next++;
        *child = level->right;
        return NULL;
    }
    at = nsc_be16(level->cells + 2 * (size_t)level->next);
    if (level->page + at < level->cells + 2 * (size_t)level->n || at + 5 > walk->tree->usable_size)
        return NSC_DAMAGED "an interior cell outside its page";
    n = nsc_varint_read(&bits, level->page + at + 4);
    if (at + 4 + n > walk->tree->usable_size)
        return NSC_DAMAGED "an interior cell outside its page";
    *child = nsc_be32(level->page + at);
    key = (int64_t)bits;
    level->next++;
    level->met += 4 + n;
    /* In key order, a cell comes after everything below its child. */
    if (walk->used == walk->depth) {
        if (walk->has_key && key <= walk->key)
            return NSC_DAMAGED "interior keys out of order";
        walk->key = key;
        walk->has_key = true;
    }
    return NULL;
}

/* Leaves a level: the key of its parent cell bounds the last leaf below. */
static const char *leave_level(struct nsc_btree_leaves *out, struct walk *walk)
{
    const struct level *level = NULL;
    uint64_t bits = 0;

    walk->used--;
    if (walk->used == 0)
        return NULL;
    level = &walk->level[walk->used - 1];
    if (level->next > level->n)
        return NULL;
    nsc_varint_read(&bits,
                    level->page + nsc_be16(level->cells + 2 * (size_t)(level->next - 1)) + 4);
    if (walk->has_key && (int64_t)bits <= walk->key)
        return NSC_DAMAGED "interior keys out of order";
    walk->key = (int64_t)bits;
    walk->has_key = true;
    out->at[out->n - 1].last = walk->key;
    return NULL;
}

/* Follows the first children down, because all leaves must be as deep as the first one. */
static const char *find_depth(struct walk *walk, uint32_t root)
{
    uint32_t child = root;
    const char *why = NULL;

    for (;;) {
        bool is_leaf = false;

        if (child < 1 || child > walk->tree->pages)
            return NSC_DAMAGED "a page number outside the file";
        why = open_level(walk, child, &is_leaf);
        if (why)
            return why;
        if (is_leaf)
            break;
        why = next_child(walk, &walk->level[walk->used - 1], &child);
        if (why)
            return why;
    }
    walk->depth = walk->used;
    for (unsigned i = 0; i < walk->used; i++)
        walk->level[i].next = walk->level[i].met = 0;
    walk->used = walk->depth > 0;
    return NULL;
}

/* Continues at the deepest level: with its next child, or else one level up. */
static const char *walk_on(struct nsc_btree_leaves *out, struct walk *walk)
{
    struct level *level = &walk->level[walk->used - 1];
    uint32_t child = 0;
    bool is_leaf = false;
    const char *why = NULL;

    if (level->next > level->n)
        return leave_level(out, walk);
    why = next_child(walk, level, &child);
    if (why)
        return why;
    if (child < 1 || child > walk->tree->pages || ++walk->n_visited > walk->tree->pages)
        return NSC_DAMAGED "a page number outside the file, or met twice";
    if (walk->used == walk->depth) {
        *NSC_VEC_ADD(out) =
            (struct nsc_btree_leaf){level->next > level->n ? INT64_MAX : walk->key, child};
        return NULL;
    }
    why = open_level(walk, child, &is_leaf);
    return !why && is_leaf ? NSC_DAMAGED "leaves at different depths" : why;
}

static const char *walk_down(struct nsc_btree_leaves *out, struct walk *walk)
{
    const char *why = NULL;

    while (!why && walk->used > 0) {
        why = walk_on(out, walk);
        if (!why && nsc_progress_is_cancelled(walk->tree->progress))
            why = "cancelled";
    }
    return why;
}

const char *nsc_btree_list(struct nsc_btree_leaves *out, const struct nsc_btree *tree,
                           uint32_t root)
{
    struct walk *walk = nsc_xcalloc(1, sizeof *walk);
    const char *why = NULL;

    walk->tree = tree;
    why = find_depth(walk, root);
    if (!why && walk->depth == 0)
        *NSC_VEC_ADD(out) = (struct nsc_btree_leaf){INT64_MAX, root};
    else if (!why)
        why = walk_down(out, walk);
    for (unsigned i = 0; i < NSC_BTREE_DEPTH; i++)
        free(walk->level[i].page);
    free(walk);
    return why;
}
