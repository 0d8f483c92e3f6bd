/*
 * Decodes the cells of leaf pages: the innermost loop of opening an export.
 *
 * A row whose serial types take one byte each (no text or blob over 57 bytes) is decoded by its
 * layout: a lookup, then a few instructions without branches per wanted column. All other rows are
 * decoded field by field.
 */
#include "nsys/pages/record.h"

#include "core/die.h"
#include "core/hints.h"

#include <string.h>

#ifdef NSC_SMALL
#define SIDE_BYTES (160U << 10)
#else
#define SIDE_BYTES (1U << 20) /* bytes of reassembled records, after which rows are handed over */
#endif
#define CHAIN_BYTES \
    (1U << 20) /* of a row whose content is not wanted, but whose pages are counted */

/* A cell: its payload in the page, and the size of the whole payload. */
struct cell {
    const uint8_t *payload;
    uint32_t n, local;
    uint32_t bytes; /* in the page */
    int64_t rowid;
};

static inline uint64_t load_word(const uint8_t *p)
{
    uint64_t v = 0;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t load_be64(const uint8_t *p)
{
    uint64_t v = load_word(p);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The bytes of a long payload that are stored in the page. */
static uint32_t local_size(uint32_t usable, uint32_t n)
{
    uint32_t most = usable - 35;
    uint32_t least = (usable - 12) * 32 / 255 - 23;
    uint32_t local = least + (n - least) % (usable - 4);

    return local <= most ? local : least;
}

/* As nsc_varint_read, but fast for up to three bytes, which most sizes and row ids take. */
static inline unsigned read_varint(uint64_t *out, const uint8_t *p)
{
    *out = p[0] & 0x7fU;
    if (p[0] < 0x80)
        return 1;
    *out = *out << 7 | (p[1] & 0x7fU);
    if (p[1] < 0x80)
        return 2;
    *out = *out << 7 | (p[2] & 0x7fU);
    return p[2] < 0x80 ? 3 : nsc_varint_read(out, p);
}

/* A cell with overflow pages, or with an impossible size. SQLite decodes the ninth byte of a size
 * differently and never writes one. */
NSC_RARE static bool open_long_cell(struct cell *out, struct nsc_page_decoder *reader,
                                    const uint8_t *size)
{
    uint64_t n = 0;

    if (nsc_varint_read(&n, size) > 8 || n > INT32_MAX) {
        reader->why = NSC_DAMAGED "a row of impossible size";
        return false;
    }
    out->n = (uint32_t)n;
    out->local = local_size(reader->tree->usable_size, out->n);
    return true;
}

static inline __attribute__((always_inline)) bool open_cell(struct cell *out,
                                                            struct nsc_page_decoder *reader,
                                                            const struct nsc_leaf *leaf, uint32_t i)
{
    uint32_t at = nsc_be16(leaf->cells + 2 * (size_t)i);
    const uint8_t *size = leaf->page + at;
    uint64_t n = 0;
    uint64_t rowid = 0;
    unsigned wide = 0;

    if (at < leaf->floor || at >= leaf->usable) {
        reader->why = NSC_DAMAGED "a cell outside its page";
        return false;
    }
    wide = read_varint(&n, size);
    out->payload = size + wide;
    out->payload += read_varint(&rowid, out->payload);
    out->rowid = (int64_t)rowid;
    out->n = out->local = (uint32_t)n;
    if ((n > leaf->usable - 35 || wide > 8) && !open_long_cell(out, reader, size))
        return false;
    out->bytes = (uint32_t)(out->payload - size) + out->local + (out->local < out->n ? 4 : 0);
    if (at + out->bytes > leaf->usable)
        reader->why = NSC_DAMAGED "a row that runs past its page";
    else if (out->rowid <= reader->last && reader->has_last)
        reader->why = NSC_DAMAGED "row ids out of order";
    else {
        out->bytes = out->bytes < 4 ? 4 : out->bytes; /* room for a free block in its place */
        return true;
    }
    return false;
}

/* Whether the fast way is possible: the header has one byte per field. find_layout and find_tail
 * check the types. */
static inline bool has_short_header(const struct nsc_record_plan *plan, const struct cell *cell)
{
    return cell->payload[0] == plan->short_header && cell->payload[0] <= cell->local;
}

/* Whether the table allows a record without the fields from n on. */
static bool may_end(const struct nsc_record_plan *plan, uint32_t n)
{
    for (; n < plan->n_fields; n++)
        if (plan->forbid[n] & NSC_FORBID_ABSENT)
            return false;
    return true;
}

/* Splits a record, whose types may take several bytes each. NULL, or why it is damaged or of another
 * table. Sets *n_fields; 0 for a header that goes on in another page, which passes. *is_odd: a text or
 * a blob stands for an integer. */
static const char *split_record(uint32_t *n_fields, bool *is_odd, struct nsc_page_decoder *reader,
                                const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint64_t header = 0;
    uint32_t from = nsc_varint_read(&header, cell->payload);
    uint64_t at = header;
    uint32_t n = 0;
    bool is_forbidden = false;

    *n_fields = 0;
    *is_odd = false;
    if (header > cell->local)
        return header <= cell->n ? NULL : NSC_DAMAGED "a record of another length than its fields";
    for (; from < header && at <= cell->n; n++) {
        uint8_t forbid = n < plan->n_fields ? plan->forbid[n] : 0;
        uint64_t serial = 0;

        from += nsc_varint_read(&serial, cell->payload + from);
        if (n < plan->n_fields) {
            reader->at[n] = (uint32_t)at;
            reader->kind[n] = (uint8_t)(serial < 12 ? serial : 12 + (serial & 1));
        }
        at += serial < 12 ? nsc_record_rules[serial].size : (serial - 12) / 2;
        is_forbidden |= nsc_record_is_forbidden(forbid, serial);
        *is_odd |= (forbid & NSC_ODD_BYTES) && serial >= 12;
    }
    *n_fields = n;
    if (from != header || at != cell->n)
        return NSC_DAMAGED "a record of another length than its fields";
    if (plan->n_fields && n > plan->n_fields)
        return NSC_DAMAGED "a row with more fields than columns";
    reader->at[n < plan->n_fields ? n : plan->n_fields] = (uint32_t)at;
    return is_forbidden || !may_end(plan, n) ? NSC_DAMAGED "a row that its table does not allow"
                                             : NULL;
}

/* The bytes of the payload that must be contiguous for the wanted values; 0 if the page has them
 * all. *begin: the start of the last wanted value. */
static uint64_t measure_need(uint64_t *begin, const struct nsc_page_decoder *reader,
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

/* Copies the first n bytes of the payload from the page and its overflow pages. Follows the chain to
 * its end, unless that is far: a chain of the wrong length holds the content of another row. */
static const char *copy_payload(char *out, struct nsc_page_decoder *reader, const struct cell *cell,
                                uint64_t n)
{
    const struct nsc_btree *tree = reader->tree;
    uint64_t chunk = tree->usable_size - 4;
    uint64_t end = cell->n - n <= CHAIN_BYTES ? cell->n : n;
    uint32_t next = nsc_be32(cell->payload + cell->local);

    if (!reader->overflow)
        reader->overflow = nsc_xmalloc(tree->page_size);
    memcpy(out, cell->payload, cell->local);
    for (uint64_t at = cell->local; at < end; at += chunk) {
        const char *why = NULL;

        if (next < 2 || next > tree->pages)
            return NSC_DAMAGED "an overflow page outside the file";
        why = nsc_btree_read(reader->overflow, tree, next, 1);
        if (why)
            return why;
        next = nsc_be32(reader->overflow);
        if (at < n)
            memcpy(out + at, reader->overflow + 4, (size_t)(n - at < chunk ? n - at : chunk));
    }
    if (end == cell->n && next != 0)
        return NSC_DAMAGED "overflow pages past the end of a row";
    return NULL;
}

/*
 * Reassembles the wanted part of a long record. False if the rows must be handed over first, to
 * make room; reader->why is set on failure. With pointer maps, SQLite has a second way to overflow
 * pages, which may lead elsewhere in a damaged file. In such a file, no value may begin after the
 * first overflow page.
 */
static bool gather_payload(struct nsc_page_decoder *reader, struct cell *cell, const uint8_t *kind)
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

static inline void put_text(struct nsc_page_decoder *reader, uint32_t c, const uint8_t *at,
                            uint32_t n)
{
    struct nsc_cell_text *text = &reader->rows.text[c][reader->rows.n];

    text->bytes = (const char *)at;
    text->n = n < NSC_SCAN_TEXT_LIMIT ? n : NSC_SCAN_TEXT_LIMIT;
    text->full_n = n;
}

/* Stored NaN reads as NULL; forbidden types are an error. */
NSC_RARE static bool settle_odd(struct nsc_page_decoder *reader, const uint8_t *kind)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint32_t row = reader->rows.n;

    for (uint32_t i = 0; i < plan->n_wanted; i++)
        if (nsc_record_is_forbidden(plan->forbid[i], kind[i]))
            reader->why = NSC_DAMAGED "a row that its table does not allow";
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint8_t k = kind[plan->ordinal[c]];
        double real = 0;

        if (k != 7)
            continue;
        memcpy(&real, &reader->rows.value[c][row], sizeof real);
        if (real != real) {
            reader->rows.value[c][row] = 0;
            reader->rows.type[row][c] = NSC_CELL_NULL;
        }
    }
    return !reader->why;
}

static inline struct nsc_record_layout *hash_layout(const struct nsc_page_decoder *reader,
                                                    const uint64_t word[NSC_LAYOUT_WORDS])
{
    uint64_t hash = word[0] * 0x9E3779B97F4A7C15U ^ word[1] * 0xC2B2AE3D27D4EB4FU;

    _Static_assert(NSC_LAYOUTS == 256, "the upper byte of a hash is a number of one");
    for (uint32_t i = 2; i < reader->plan->n_words; i++)
        hash = (hash ^ word[i]) * 0x9E3779B97F4A7C15U;
    return &reader->layouts[hash >> 56];
}

/* Adds a layout. NULL if a type takes several bytes. */
NSC_RARE static const struct nsc_record_layout *add_layout(const struct nsc_page_decoder *reader,
                                                           const uint64_t word[NSC_LAYOUT_WORDS],
                                                           const uint8_t *types)
{
    struct nsc_record_layout *layout = hash_layout(reader, word);
    uint64_t wide = 0;

    for (uint32_t i = 0; i < NSC_LAYOUT_WORDS; i++)
        wide |= word[i];
    if (wide & 0x8080808080808080U)
        return NULL;
    memcpy(layout->types, word, sizeof layout->types);
    nsc_record_layout_build(layout, reader->plan, types);
    return layout;
}

/* The layout for the serial types, by their hash; always reads two words of them. NULL if there is
 * none and none can be made. */
static inline const struct nsc_record_layout *find_layout(const struct nsc_page_decoder *reader,
                                                          const uint8_t *types)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint64_t word[NSC_LAYOUT_WORDS] = {load_word(types) & plan->wanted[0],
                                       load_word(types + 8) & plan->wanted[1]};
    const struct nsc_record_layout *layout = NULL;
    uint64_t differ = 0;

    for (uint32_t i = 2; i < plan->n_words; i++)
        word[i] = load_word(types + 8 * (size_t)i) & plan->wanted[i];
    layout = hash_layout(reader, word);
    differ = (layout->types[0] ^ word[0]) | (layout->types[1] ^ word[1]);
    for (uint32_t i = 2; i < plan->n_words; i++)
        differ |= layout->types[i] ^ word[i];
    return differ ? add_layout(reader, word, types) : layout;
}

/* Adds a tail. NULL if a type takes several bytes, or is forbidden: then the record is decoded field
 * by field. */
NSC_RARE static const struct nsc_record_tail *add_tail(struct nsc_record_tail *tail,
                                                       const struct nsc_record_plan *plan,
                                                       const uint64_t word[NSC_LAYOUT_WORDS],
                                                       const uint8_t *types)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < plan->n_fields - plan->n_wanted; i++) {
        if (types[i] >= 0x80 || nsc_record_is_forbidden(plan->forbid[plan->n_wanted + i], types[i]))
            return NULL;
        bytes += nsc_record_rules[types[i]].size;
    }
    memcpy(tail->types, word, sizeof tail->types);
    tail->bytes = bytes;
    return tail;
}

/* The tail of the serial types after the last wanted field. NULL if there is none and none can be
 * made. */
static inline const struct nsc_record_tail *find_tail(const struct nsc_page_decoder *reader,
                                                      const uint8_t *types)
{
    const struct nsc_record_plan *plan = reader->plan;
    uint64_t word[NSC_LAYOUT_WORDS] = {0};
    struct nsc_record_tail *tail = NULL;
    uint64_t hash = 0;
    uint64_t differ = 0;

    types += plan->n_wanted;
    for (uint32_t i = 0; i < plan->n_tail; i++) {
        word[i] = load_word(types + 8 * (size_t)i) & plan->tail[i];
        hash = (hash ^ word[i]) * 0x9E3779B97F4A7C15U;
    }
    _Static_assert(NSC_TAILS == 64, "the upper six bits of a hash are a number of one");
    tail = &reader->tails[hash >> 58];
    for (uint32_t i = 0; i < plan->n_tail; i++)
        differ |= tail->types[i] ^ word[i];
    return differ ? add_tail(tail, plan, word, types) : tail;
}

static inline void put_value(int64_t *out, const uint8_t *payload,
                             const struct nsc_layout_column *column)
{
    int64_t wide = (int64_t)load_be64(payload + column->at) >> column->shift;

    *out = (int64_t)((uint64_t)wide & column->mask);
}

/* Stores the wanted values of a record with this layout. */
static inline bool put_short(struct nsc_page_decoder *reader, const struct cell *cell,
                             const struct nsc_record_layout *layout, uint32_t tail)
{
    const struct nsc_record_plan *plan = reader->plan;

    if ((uint64_t)layout->end + tail != cell->n) {
        reader->why = NSC_DAMAGED "a record of another length than its fields";
        return false;
    }
    for (uint32_t c = 0; c < plan->n_columns; c++)
        put_value(&reader->rows.value[c][reader->rows.n], cell->payload, &layout->column[c]);
    memcpy(reader->rows.type[reader->rows.n], layout->type, sizeof layout->type);
    for (uint32_t i = 0; i < plan->n_texts; i++) {
        uint32_t c = plan->text[i];

        put_text(reader, c, cell->payload + layout->text_at[c], layout->text[c]);
    }
    return !layout->odd || settle_odd(reader, cell->payload + 1);
}

/* As put_short, but from reader->at and reader->kind. */
static bool put_long(struct nsc_page_decoder *reader, const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    struct nsc_row_batch *rows = &reader->rows;
    uint32_t odd = 0;

    for (uint32_t c = 0; c < plan->n_columns; c++) {
        uint32_t field = plan->ordinal[c];
        uint32_t from = reader->at[field];
        const struct nsc_record_rule *rule = &nsc_record_rules[reader->kind[field]];
        /* A masked value may lie outside the page: load from the start of the payload instead. */
        int64_t wide = (int64_t)load_be64(cell->payload + (from & (uint32_t)rule->mask));

        rows->value[c][rows->n] =
            (int64_t)((uint64_t)(wide >> rule->shift) & rule->mask) | rule->one;
        rows->type[rows->n][c] = rule->type;
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

static inline void note_rowid(struct nsc_page_decoder *reader, int64_t rowid)
{
    reader->has_last = true;
    reader->last = rowid;
}

/* Ends a row whose values are stored. */
static inline void end_row(struct nsc_page_decoder *reader, const struct cell *cell)
{
    const struct nsc_record_plan *plan = reader->plan;
    struct nsc_row_batch *rows = &reader->rows;

    for (uint32_t i = 0; i < plan->n_rowids; i++) {
        rows->value[plan->rowid[i]][rows->n] = cell->rowid;
        rows->type[rows->n][plan->rowid[i]] = NSC_CELL_INT;
    }
    note_rowid(reader, cell->rowid);
    rows->rowid[rows->n++] = cell->rowid;
}

/* A sound record with too few fields is older than the last columns of the table, whose defaults are
 * not in the page. */
NSC_RARE static bool add_long(struct nsc_page_decoder *reader, struct cell cell)
{
    uint32_t n = 0;
    bool is_odd = false;

    reader->why = split_record(&n, &is_odd, reader, &cell);
    if (!reader->why && n < reader->plan->n_fields)
        reader->why = n > 0 ? "a column added later" : "a record that does not match its table";
    if (reader->why)
        return false;
    if (cell.local < cell.n && !gather_payload(reader, &cell, reader->kind))
        return false;
    if (!put_long(reader, &cell))
        return false;
    end_row(reader, &cell);
    return true;
}

void nsc_leaf_walk(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf)
{
    struct cell cell;

    for (uint32_t i = 0; i < leaf->n && open_cell(&cell, reader, leaf, i); i++) {
        uint32_t n = 0;
        bool is_odd = false;

        reader->why = split_record(&n, &is_odd, reader, &cell);
        if (reader->why)
            return;
        reader->n_odd += is_odd || (n > 0 && n < reader->plan->n_wanted);
        reader->filled += cell.bytes;
        note_rowid(reader, cell.rowid);
    }
}

uint32_t nsc_leaf_decode(struct nsc_page_decoder *reader, const struct nsc_leaf *leaf,
                         uint32_t cell)
{
    uint32_t room = NSC_SCAN_ROWS - reader->rows.n;
    uint32_t end = leaf->n - cell < room ? leaf->n : cell + room;

    for (; cell < end; cell++) {
        const struct nsc_record_layout *layout = NULL;
        const struct nsc_record_tail *tail = NULL;
        struct cell c;

        if (!open_cell(&c, reader, leaf, cell))
            break;
        if (c.local == c.n && has_short_header(reader->plan, &c))
            layout = find_layout(reader, c.payload + 1);
        if (layout)
            tail = find_tail(reader, c.payload + 1);
        if (tail) {
            if (!put_short(reader, &c, layout, tail->bytes))
                break;
            end_row(reader, &c);
        } else if (!add_long(reader, c)) {
            break;
        }
        reader->filled += c.bytes;
    }
    return cell;
}
