/*
 * Follows every tree and the list of free pages, and looks at the pages that are left over. In a
 * sound file these continue long rows: they begin with a page number, whose first byte is less than
 * any type of a page of rows while the file has fewer than 2^25 pages.
 */
#include "core/bits.h"
#include "core/die.h"
#include "core/strpool.h"
#include "core/vec.h"
#include "nsys/pages/btree.h"
#include "nsys/pages/source.h"
#include "nsys/tables/capture_data.h"

#include <stdlib.h>

#ifdef NSC_SMALL
#define SAMPLES 4
#else
#define SAMPLES 1024
#endif
#define MOST_PAGES (1U << 25)
#define LOCK_BYTE  0x40000000U /* the page of this byte is never used */

struct count {
    struct nsc_btree tree;
    uint64_t *named; /* a bit a page */
    uint8_t *page;
    NSC_VEC(uint32_t) open; /* interior pages to be read */
    uint32_t twice;         /* a page that was named twice; 0: none */
    bool is_odd;            /* a tree cannot be followed */
};

static bool is_interior(uint8_t type)
{
    return type == 2 || type == 5;
}

static bool is_rows(uint8_t type)
{
    return is_interior(type) || type == 10 || type == 13;
}

static bool name_page(struct count *count, uint32_t page)
{
    if (page < 1 || page > count->tree.pages) {
        count->is_odd = true;
        return false;
    }
    if (nsc_bits_get(count->named, page - 1))
        count->twice = page;
    nsc_bits_set(count->named, page - 1);
    return !count->twice;
}

/* The type of a page of rows, which is in count->page then; 0: it is none. */
static uint8_t read_type(struct count *count, uint32_t page)
{
    uint8_t type = 0;

    if (page >= 1 && page <= count->tree.pages &&
        !nsc_btree_read(count->page, &count->tree, page, 1))
        type = count->page[nsc_btree_header(page)];
    count->is_odd |= !is_rows(type);
    return is_rows(type) ? type : 0;
}

/* Names the children of the interior page in count->page; those are interior too if the last is. */
static void name_children(struct count *count, uint32_t number)
{
    const uint8_t *header = count->page + nsc_btree_header(number);
    uint32_t n = nsc_be16(header + 3);
    uint32_t last = nsc_be32(header + 8);
    size_t before = count->open.n;

    if (header + 12 + 2 * (size_t)n > count->page + count->tree.usable_size) {
        count->is_odd = true;
        return;
    }
    for (uint32_t i = 0; i <= n && !count->twice && !count->is_odd; i++) {
        uint32_t at = i < n ? nsc_be16(header + 12 + 2 * (size_t)i) : 0;
        uint32_t child = last;

        if (at + 4 > count->tree.usable_size) {
            count->is_odd = true;
            return;
        }
        if (i < n)
            child = nsc_be32(count->page + at);
        if (name_page(count, child))
            *NSC_VEC_ADD(&count->open) = child;
    }
    if (!is_interior(read_type(count, last)))
        count->open.n = before;
}

static void follow_tree(struct count *count, uint32_t root)
{
    if (!name_page(count, root))
        return;
    *NSC_VEC_ADD(&count->open) = root;
    while (count->open.n && !count->twice && !count->is_odd) {
        uint32_t page = count->open.at[--count->open.n];

        if (is_interior(read_type(count, page)))
            name_children(count, page);
    }
}

static void follow_free(struct count *count, uint32_t trunk)
{
    while (trunk && name_page(count, trunk) &&
           !nsc_btree_read(count->page, &count->tree, trunk, 1)) {
        uint32_t n = nsc_be32(count->page + 4);

        if (n > count->tree.usable_size / 4 - 2) {
            count->is_odd = true;
            return;
        }
        for (uint32_t i = 0; i < n; i++)
            (void)name_page(count, nsc_be32(count->page + 8 + 4 * (size_t)i));
        trunk = nsc_be32(count->page);
    }
}

static void follow_all(struct count *count, sqlite3 *db)
{
    sqlite3_stmt *roots = NULL;
    int rc =
        nsc_source_prepare(&roots, db, "SELECT rootpage FROM sqlite_schema WHERE rootpage > 0");

    follow_tree(count, 1);
    for (; rc == SQLITE_OK && (rc = nsc_source_step(roots)) == SQLITE_ROW; rc = SQLITE_OK)
        follow_tree(count, (uint32_t)sqlite3_column_int64(roots, 0));
    sqlite3_finalize(roots);
    count->is_odd |= rc != SQLITE_DONE;
    if (!nsc_btree_read(count->page, &count->tree, 1, 1))
        follow_free(count, nsc_be32(count->page + 32));
}

/* Names the pages of an auto_vacuum file that hold pointers: page 2, and one after each group of pages
 * that its 5 bytes a page can describe. */
static void name_maps(struct count *count)
{
    uint32_t lock = LOCK_BYTE / count->tree.page_size + 1;
    uint32_t group = count->tree.usable_size / 5 + 1;

    for (uint32_t page = 2; page <= count->tree.pages; page += group)
        if (page + (page == lock) <= count->tree.pages)
            (void)name_page(count, page + (page == lock));
}

/* The first page of rows among those that nothing names, or among so many of them, evenly spread. */
static uint32_t find_lost(struct count *count)
{
    uint32_t pages = (uint32_t)count->tree.pages;
    uint32_t lock = LOCK_BYTE / count->tree.page_size + 1;
    uint64_t n = 0;
    uint64_t met = 0;

    for (uint32_t page = 1; page <= pages; page++)
        n += !nsc_bits_get(count->named, page - 1) && page != lock;
    for (uint32_t page = 1; page <= pages; page++) {
        if (nsc_bits_get(count->named, page - 1) || page == lock)
            continue;
        met++;
        if (n > SAMPLES && met * SAMPLES / n == (met - 1) * SAMPLES / n)
            continue;
        if (!nsc_btree_read(count->page, &count->tree, page, 1) && is_rows(count->page[0]))
            return page;
    }
    return 0;
}

enum nsc_status nsc_pages_check(struct nsc_source *source, struct nsc_error *error)
{
    struct count count = {.tree = {.fd = source->fd,
                                   .page_size = source->page_size,
                                   .usable_size = source->usable_size,
                                   .pages = source->pages}};
    uint32_t lost = 0;

    if (!source->pages_ok || source->pages >= MOST_PAGES || nsc_btree_open(&count.tree))
        return NSC_OK;
    count.named = nsc_xcalloc(nsc_bits_words((uint32_t)source->pages), sizeof *count.named);
    count.page = nsc_xcalloc(1, source->page_size);
    if (count.tree.auto_vacuum)
        name_maps(&count);
    follow_all(&count, source->db);
    if (!count.is_odd && !count.twice)
        lost = find_lost(&count);
    NSC_VEC_FINI(&count.open);
    free(count.named);
    free(count.page);
    if (count.is_odd || (!lost && !count.twice) || nsc_source_compare(source) != NSC_SOURCE_SAME)
        return NSC_OK;
    return nsc_fail(error, NSC_EDAMAGED,
                    count.twice ? "%s is damaged: two tables hold page %u; copy or export it again"
                                : "%s is damaged: rows of page %u belong to no table; copy or "
                                  "export it again",
                    source->path, count.twice ? count.twice : lost);
}

/* ---- small tables ---- */

/* Whether the page is an empty leaf with bytes after its header: of rows that were deleted, or that
 * damage of the header hides. */
static bool is_hollow(const uint8_t *page, uint32_t number, const struct nsc_source *source)
{
    const uint8_t *header = page + nsc_btree_header(number);

    for (const uint8_t *at = header + 8; nsc_be16(header + 3) == 0; at++) {
        if (at == page + source->usable_size)
            return false;
        if (*at)
            return true;
    }
    return false;
}

/* Pages of small tables, by their hashes. */
struct pages {
    NSC_VEC(uint64_t) hashes;
    NSC_VEC(uint32_t) roots;
    uint8_t *page;
};

/* The root of a table before this one with the same rows in the same places; 0: none. No exporter
 * writes two, and the copy of a page is sound itself. */
static uint32_t find_twin(struct pages *pages, uint32_t root, const struct nsc_source *source)
{
    uint64_t hash;

    if (nsc_be16(pages->page + nsc_btree_header(root) + 3) == 0)
        return 0;
    hash = nsc_hash_bytes((const char *)pages->page, source->usable_size);
    for (size_t i = 0; i < pages->hashes.n; i++)
        if (pages->hashes.at[i] == hash)
            return pages->roots.at[i];
    *NSC_VEC_ADD(&pages->hashes) = hash;
    *NSC_VEC_ADD(&pages->roots) = root;
    return 0;
}

static void check_table(struct nsc_capture *capture, const struct nsc_scan_table *table,
                        struct pages *pages)
{
    struct nsc_source *source = capture->source;
    uint8_t *page = pages->page;
    const struct nsc_btree tree = {.fd = source->fd, .page_size = source->page_size};
    const struct nsc_scan scan = {.table = table};
    struct nsc_error error = {NSC_OK, ""};
    int id = nsc_table_find(table->name);
    uint32_t twin;

    if (table->root > source->pages || nsc_btree_read(page, &tree, table->root, 1) ||
        page[nsc_btree_header(table->root)] != 13)
        return;
    if (is_hollow(page, table->root, source))
        nsc_capture_warn_damage(
            capture, "%.64s is empty, but its page is not: rows were deleted, or it is damaged",
            table->name);
    twin = find_twin(pages, table->root, source);
    if (twin)
        nsc_capture_warn_damage(capture, "%.64s holds the rows of another table (pages %u and %u)",
                                table->name, twin, table->root);
    if ((id < 0 || capture->reports[id].status != NSC_TABLE_LOADED) &&
        !nsc_scan_check(source, &scan, &error))
        nsc_capture_warn_damage(capture, "%s", error.text);
}

enum nsc_status nsc_tables_check(struct nsc_capture *capture, struct nsc_error *error)
{
    struct nsc_source *source = capture->source;
    struct pages pages = {.page = nsc_xmalloc(source->page_size)};
    sqlite3_stmt *row = NULL;
    int rc = nsc_source_prepare(&row, source->db,
                                "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' "
                                "AND rootpage > 0 LIMIT 500");

    for (; rc == SQLITE_OK && (rc = nsc_source_step(row)) == SQLITE_ROW; rc = SQLITE_OK) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        struct nsc_scan_table table = {.name = name,
                                       .root = (uint32_t)sqlite3_column_int64(row, 1),
                                       .rowid = "rowid",
                                       .utf8 = source->utf8};

        if (name)
            check_table(capture, &table, &pages);
    }
    sqlite3_finalize(row);
    NSC_VEC_FINI(&pages.hashes);
    NSC_VEC_FINI(&pages.roots);
    free(pages.page);
    return rc == SQLITE_DONE ? NSC_OK
                             : nsc_source_fail(source, rc, "cannot check the tables of", error);
}
