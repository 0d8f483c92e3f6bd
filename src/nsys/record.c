/*
 * Decodes the cells of leaf pages: the innermost loop of opening an export.
 *
 * A row whose serial types all take one byte (no text or blob past 57 bytes) is loaded by its
 * layout: a lookup, then a few instructions without a branch for each wanted column. Everything
 * else takes the general way.
 */
#include "nsys/record.h"

#include "core/die.h"

#include <stdlib.h>
#include <string.h>

#ifdef NSC_SMALL
#define SIDE_BYTES (160U << 10)
#else
#define SIDE_BYTES (1U << 20) /* of records put together, before rows are handed on */
#endif

/* One cell: its payload's part in the page, and how much there is in all. */
struct cell {
    const uint8_t *payload;
    uint32_t n, local;
    int64_t rowid;
};

/* How a value of each serial type comes out of the eight bytes, big end first, where it begins. */
enum { ODD_REAL = 1, ODD_RESERVED = 2 };
#define BLOB_TEXT(n)                   \
    {0, 0, 0, NSC_CELL_BLOB, 0, (n)},  \
    {                                  \
        0, 0, 0, NSC_CELL_TEXT, 0, (n) \
    }
#define BLOBS_TEXTS(n)                                                                            \
    BLOB_TEXT(n), BLOB_TEXT((n) + 1), BLOB_TEXT((n) + 2), BLOB_TEXT((n) + 3), BLOB_TEXT((n) + 4), \
        BLOB_TEXT((n) + 5), BLOB_TEXT((n) + 6), BLOB_TEXT((n) + 7)
static const struct rule {
    uint64_t mask;
    uint8_t shift, one, type, odd, size;
} rules[128] = {
    {0, 0, 0, NSC_CELL_NULL, 0, 0},
    {UINT64_MAX, 56, 0, NSC_CELL_INT, 0, 1},
    {UINT64_MAX, 48, 0, NSC_CELL_INT, 0, 2},
    {UINT64_MAX, 40, 0, NSC_CELL_INT, 0, 3},
    {UINT64_MAX, 32, 0, NSC_CELL_INT, 0, 4},
    {UINT64_MAX, 16, 0, NSC_CELL_INT, 0, 6},
    {UINT64_MAX, 0, 0, NSC_CELL_INT, 0, 8},
    {UINT64_MAX, 0, 0, NSC_CELL_REAL, ODD_REAL, 8},
    {0, 0, 0, NSC_CELL_INT, 0, 0},
    {0, 0, 1, NSC_CELL_INT, 0, 0},
    {0, 0, 0, NSC_CELL_NULL, ODD_RESERVED, 0},
    {0, 0, 0, NSC_CELL_NULL, ODD_RESERVED, 0},
    BLOBS_TEXTS(0),
    BLOBS_TEXTS(8),
    BLOBS_TEXTS(16),
    BLOBS_TEXTS(24),
    BLOBS_TEXTS(32),
    BLOBS_TEXTS(40),
    BLOBS_TEXTS(48),
    BLOB_TEXT(56),
    BLOB_TEXT(57),
};

static inline uint64_t load_be64(const uint8_t *p)
{
    uint64_t v = 0;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* How many bytes of a payload too long for its page lie in the page. */
static uint32_t local_size(uint32_t usable, uint32_t n)
{
    uint32_t most = usable - 35;
    uint32_t least = (usable - 12) * 32 / 255 - 23;
    uint32_t local = least + (n - least) % (usable - 4);

    return local <= most ? local : least;
}

static inline bool open_cell(struct cell *out, struct nsc_reader *reader,
                             const struct nsc_leaf *leaf, uint32_t i)
{
    uint32_t usable = reader->tree->usable_size;
    uint32_t at = nsc_be16(leaf->cells + 2 * (size_t)i);
    const uint8_t *p = leaf->page + at;
    uint64_t n = 0;
    uint64_t rowid = 0;
    uint32_t end = 0;
    unsigned wide = 0;

    if (at < leaf->floor || at >= usable) {
        reader->why = "a cell outside its page";
        return false;
    }
    wide = nsc_varint_read(&n, p);
    p += wide;
    p += nsc_varint_read(&rowid, p);
    /* SQLite reads a ninth byte of this one differently from all others; it never writes one. */
    if (n > INT32_MAX || wide > 8) {
        reader->why = "a row of impossible size";
        return false;
    }
    out->payload = p;
    out->n = (uint32_t)n;
    out->local = out->n <= usable - 35 ? out->n : local_size(usable, out->n);
    out->rowid = (int64_t)rowid;
    end = (uint32_t)(p - leaf->page) + out->local + (out->local < out->n ? 4 : 0);
    if (end > usable)
        reader->why = "a row that runs past its page";
    else if (reader->has_last && out->rowid <= reader->last)
        reader->why = "row ids out of order";
    return !reader->why;
}

/* The header of a record whose types may take several bytes. */
static bool split_long(struct nsc_reader *reader, const struct cell *cell)
{
    uint64_t header = 0;
    uint64_t at = 0;
    uint32_t from = 0;
    uint32_t n = 0;

    from = nsc_varint_read(&header, cell->payload);
    if (header > cell->local || from > header)
        return false;
    at = header;
    for (; from < header && n < reader->plan->n_fields; n++) {
        uint64_t serial = 0;

        from += nsc_varint_read(&serial, cell->payload + from);
        if (serial > UINT32_MAX)
            return false;
        reader->at[n] = (uint32_t)at;
        reader->kind[n] = (uint8_t)(serial < 12 ? serial : 12 + (serial & 1));
        at += serial < 12 ? rules[serial].size : (serial - 12) / 2;
        if (at > cell->n)
            return false;
    }
    reader->at[n] = (uint32_t)at;
    return n == reader->plan->n_fields && from == header && at == cell->n;
}

/* True when none of n serial types takes more than one byte. Reads up to seven bytes past them, and
 * does not mind them. */
static inline bool all_short(const uint8_t *types, uint32_t n)
{
    uint64_t wide = 0;
    uint32_t i = 0;

    for (; i + 8 <= n; i += 8)
        wide |= load_be64(types + i);
    if (i < n)
        wide |= load_be64(types + i) >> 8 * (8 - (n - i));
    return (wide & 0x8080808080808080U) == 0;
}

/* The form that can be read the fast way: as many header bytes as fields. */
static inline bool is_short(const struct nsc_reader *reader, const struct cell *cell)
{
    uint32_t n = reader->plan->n_fields;

    return reader->plan->fast && cell->payload[0] == n + 1 && n < cell->local &&
           all_short(cell->payload + 1, n);
}

/* A record with fewer fields was written before the table got its last columns: their defaults are
 * not in the page. */
static void explain_record(struct nsc_reader *reader, const struct cell *cell)
{
    uint64_t header = 0;
    unsigned n = nsc_varint_read(&header, cell->payload);

    if (header <= cell->local && header < n + reader->plan->n_fields)
        reader->why = "a column added later";
    else
        reader->why = "a record that does not match its table";
}

/*
 * How much of the payload must be in one piece for the wanted values, 0 when the page holds all of
 * that; *begin is where the last of them begins.
 */
static uint64_t measure_need(uint64_t *begin, const struct nsc_reader *reader,
                             const struct cell *cell, const uint8_t *kind)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint64_t need = 0;

    *begin = 0;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint32_t field = plan->ordinal[c];
        uint64_t end = reader->at[field + 1];

        if (kind[field] >= 12) {
            uint64_t n = end - reader->at[field];
            bool wanted = (kind[field] & 1) && reader->rows.text[c];

            n = n < NSC_SCAN_TEXT_LIMIT ? n : NSC_SCAN_TEXT_LIMIT;
            end = wanted ? reader->at[field] + n : 0;
        }
        if (end <= need || reader->at[field + 1] == reader->at[field])
            continue;
        need = end;
        *begin = reader->at[field];
    }
    return need > cell->local ? need : 0;
}

/* Copies the first n bytes of the payload, from the page and its overflow pages. */
static const char *copy_payload(char *out, struct nsc_reader *reader, const struct cell *cell,
                                uint64_t n)
{
    const struct nsc_btree *tree = reader->tree;
    uint64_t chunk = tree->usable_size - 4;
    uint32_t next = nsc_be32(cell->payload + cell->local);

    if (!reader->overflow)
        reader->overflow = nsc_xmalloc(tree->page_size);
    memcpy(out, cell->payload, cell->local);
    for (uint64_t at = cell->local; at < n; at += chunk) {
        const char *why = NULL;

        if (next < 2 || next > tree->pages)
            return "an overflow page outside the file";
        why = nsc_btree_read(reader->overflow, tree, next, 1);
        if (why)
            return why;
        next = nsc_be32(reader->overflow);
        memcpy(out + at, reader->overflow + 4, (size_t)(n - at < chunk ? n - at : chunk));
    }
    return NULL;
}

/*
 * Brings what is wanted of a long record into one piece. False: the rows must be handed on first,
 * to make room, or reader->why tells more. With pointer maps SQLite has a second way to find
 * overflow pages, which in a damaged file may lead elsewhere: there no value may begin past the
 * first.
 */
static bool gather_payload(struct nsc_reader *reader, struct cell *cell, const uint8_t *kind)
{
    uint64_t begin = 0;
    uint64_t need = measure_need(&begin, reader, cell, kind);
    char *copy = NULL;

    if (need == 0)
        return true;
    if (need > SIDE_BYTES - NSC_RECORD_SLACK ||
        (reader->tree->auto_vacuum &&
         begin >= (uint64_t)cell->local + reader->tree->usable_size - 4)) {
        reader->why = "a value far into its row";
        return false;
    }
    if (!reader->side)
        reader->side = nsc_xcalloc(1, SIDE_BYTES);
    if (need > SIDE_BYTES - NSC_RECORD_SLACK - reader->side_n)
        return false;
    copy = reader->side + reader->side_n;
    reader->why = copy_payload(copy, reader, cell, need);
    reader->side_n += need;
    cell->payload = (const uint8_t *)copy;
    return !reader->why;
}

static inline void put_text(struct nsc_reader *reader, uint32_t c, const uint8_t *at, uint32_t n)
{
    struct nsc_cell_text *text = &reader->rows.text[c][reader->rows.n];

    text->bytes = (const char *)at;
    text->n = n < NSC_SCAN_TEXT_LIMIT ? n : NSC_SCAN_TEXT_LIMIT;
    text->full_n = n;
}

/* Stored NaN reads as NULL; reserved types are not ours to interpret. */
static bool settle_odd(struct nsc_reader *reader, const uint8_t *kind)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint32_t row = reader->rows.n;

    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint8_t k = kind[plan->ordinal[c]];
        double real = 0;

        if (k == 10 || k == 11)
            reader->why = "a reserved type";
        if (k != 7)
            continue;
        memcpy(&real, &reader->rows.value[c][row], sizeof real);
        if (real != real) {
            reader->rows.value[c][row] = 0;
            reader->rows.type[c][row] = NSC_CELL_NULL;
        }
    }
    return !reader->why;
}

static void build_layout(struct nsc_layout *out, const struct nsc_record_plan *plan,
                         const uint8_t *types)
{
    uint32_t at[8 * NSC_LAYOUT_WORDS + 1];

    at[0] = plan->n_fields + 1;
    for (uint32_t i = 0; i < plan->n_wanted; i++)
        at[i + 1] = at[i] + rules[types[i]].size;
    out->end = at[plan->n_wanted];
    out->used = true;
    out->odd = false;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        const struct rule *rule = &rules[types[plan->ordinal[c]]];
        uint32_t from = rule->type == NSC_CELL_TEXT || rule->mask ? at[plan->ordinal[c]] : 0;

        out->column[c] = (struct nsc_layout_column){rule->mask, from,       rule->shift,
                                                    rule->one,  rule->type, rule->size};
        out->odd |= rule->odd != 0;
    }
}

/* A layout is kept by the hash of its types; the one of the row before is tried first. */
static const struct nsc_layout *look_up_layout(struct nsc_reader *reader, const uint64_t *word,
                                               uint32_t n_words, const uint8_t *types)
{
    uint64_t hash = 0;
    uint64_t differ = 0;
    struct nsc_layout *layout = NULL;

    for (uint32_t i = 0; i < n_words; i++) {
        hash = (hash ^ word[i]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    layout = &reader->layouts[hash % NSC_LAYOUTS];
    for (uint32_t i = 0; i < n_words; i++)
        differ |= layout->types[i] ^ word[i];
    if (differ || !layout->used) {
        memcpy(layout->types, word, sizeof layout->types);
        build_layout(layout, reader->plan, types);
    }
    reader->layout = layout;
    return layout;
}

static inline const struct nsc_layout *find_layout(struct nsc_reader *reader, const uint8_t *types)
{
    uint64_t word[NSC_LAYOUT_WORDS] = {0};
    uint32_t n = reader->plan->n_wanted;
    uint32_t n_words = (n + 7) / 8;
    const struct nsc_layout *last = reader->layout;
    uint64_t differ = 0;

    for (uint32_t i = 0; i < n_words; i++) {
        word[i] = load_be64(types + 8 * (size_t)i);
        if (i + 1 == n_words)
            word[i] &= UINT64_MAX << 8 * (8 * n_words - n);
        differ |= last->types[i] ^ word[i];
    }
    return differ || !last->used ? look_up_layout(reader, word, n_words, types) : last;
}

/* The wanted values of a short record. */
static inline bool put_short(struct nsc_reader *reader, const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    const struct nsc_layout *layout = find_layout(reader, cell->payload + 1);
    int64_t *value = reader->rows.value[0] + reader->rows.n;
    uint8_t *type = reader->rows.type[0] + reader->rows.n;

    if (layout->end > cell->n) {
        reader->why = "a record that runs past its end";
        return false;
    }
    for (const struct nsc_layout_column *column = layout->column, *end = column + plan->n_columns;
         column < end; column++, value += NSC_RECORD_STRIDE, type += NSC_RECORD_STRIDE) {
        int64_t wide = (int64_t)load_be64(cell->payload + column->at) >> column->shift;

        *value = (int64_t)((uint64_t)wide & column->mask) | column->one;
        *type = column->type;
    }
    for (uint32_t i = 0; i < plan->n_texts; i++) {
        const struct nsc_layout_column *column = &layout->column[plan->text[i]];
        bool is_text = column->type == NSC_CELL_TEXT;

        put_text(reader, plan->text[i], cell->payload + column->at, is_text ? column->size : 0);
    }
    return !layout->odd || settle_odd(reader, cell->payload + 1);
}

/* The same from reader->at and reader->kind. */
static bool put_long(struct nsc_reader *reader, const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    struct nsc_rows *rows = &reader->rows;
    uint32_t odd = 0;

    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint32_t field = plan->ordinal[c];
        uint32_t from = reader->at[field];
        const struct rule *rule = &rules[reader->kind[field]];
        /* What is masked away may lie beyond the page: load from the payload's begin instead. */
        int64_t wide = (int64_t)load_be64(cell->payload + (from & (uint32_t)rule->mask));

        rows->value[c][rows->n] =
            (int64_t)((uint64_t)(wide >> rule->shift) & rule->mask) | rule->one;
        rows->type[c][rows->n] = rule->type;
        odd |= rule->odd;
        if (!rows->text[c])
            continue;
        if (rule->type == NSC_CELL_TEXT && reader->at[field + 1] > from)
            put_text(reader, c, cell->payload + from, reader->at[field + 1] - from);
        else
            put_text(reader, c, cell->payload, 0);
    }
    return !odd || settle_odd(reader, reader->kind);
}

static inline void note_rowid(struct nsc_reader *reader, int64_t rowid)
{
    if (!reader->has_last)
        reader->first = rowid;
    reader->has_last = true;
    reader->last = rowid;
}

/* Completes the row whose values have been put. */
static inline void end_row(struct nsc_reader *reader, const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    struct nsc_rows *rows = &reader->rows;

    for (uint32_t i = 0; i < plan->n_rowids; i++) {
        rows->value[plan->rowid[i]][rows->n] = cell->rowid;
        rows->type[plan->rowid[i]][rows->n] = NSC_CELL_INT;
    }
    note_rowid(reader, cell->rowid);
    rows->rowid[rows->n++] = cell->rowid;
}

static bool add_long(struct nsc_reader *reader, struct cell *cell)
{
    if (!split_long(reader, cell)) {
        explain_record(reader, cell);
        return false;
    }
    if (cell->local < cell->n && !gather_payload(reader, cell, reader->kind))
        return false;
    if (!put_long(reader, cell))
        return false;
    end_row(reader, cell);
    return true;
}

uint32_t nsc_leaf_decode(struct nsc_reader *reader, const struct nsc_leaf *leaf, uint32_t cell)
{
    for (; cell < leaf->n && reader->rows.n < NSC_SCAN_ROWS; cell++) {
        struct cell c = {0};

        if (!open_cell(&c, reader, leaf, cell))
            break;
        if (c.local == c.n && is_short(reader, &c)) {
            if (!put_short(reader, &c))
                break;
            end_row(reader, &c);
        } else if (!add_long(reader, &c)) {
            break;
        }
    }
    return cell;
}
