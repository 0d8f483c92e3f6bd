/* Splits untrusted text into clusters and makes each safe to show. */
#include "core/text.h"

#include <assert.h>
#include <string.h>
#include <unictype.h>
#include <unigbrk.h>
#include <unistring/version.h>
#include <uniwidth.h>

enum { MARKS_MAX = 4, ZWJ = 0x200D, CODE_CELLS = 12 };

static bool is_plain_ascii(char byte)
{
    return byte >= 0x20 && byte < 0x7F;
}

static bool is_flag_half(uint32_t c)
{
    return c >= 0x1F1E6 && c <= 0x1F1FF;
}

static bool is_pictograph(uint32_t c)
{
#if _LIBUNISTRING_VERSION >= 0x010000
    return uc_is_property_extended_pictographic(c);
#else
    return c >= 0x2190 && uc_width(c, "UTF-8") == 2;
#endif
}

/* Whether c continues the grapheme of the character before, by UAX 29. libunistring decides by the
 * two characters; flags and emoji sequences need those before, too. */
static bool is_joined(const struct nsc_text_cursor *cursor, uint32_t c)
{
    uint32_t before = cursor->before;

    if (before < 0x80 && c < 0x80)
        return before == '\r' && c == '\n';
    if (before == 0)
        return false;
    if (is_flag_half(before) && is_flag_half(c))
        return cursor->flag_open;
    if (before == ZWJ && is_pictograph(c))
        return cursor->pictograph;
    return !uc_is_grapheme_break(before, c);
}

/* Advances over c. */
static void pass(struct nsc_text_cursor *cursor, uint32_t c, size_t n)
{
    bool extends = false;

    cursor->at += n;
    if (c >= 0x80) {
        cursor->flag_open = is_flag_half(c) && !(is_flag_half(cursor->before) && cursor->flag_open);
        extends = c == ZWJ || uc_graphemeclusterbreak_property(c) == GBP_EXTEND;
        cursor->pictograph =
            is_pictograph(c) || (extends && cursor->pictograph && cursor->before != ZWJ);
    } else {
        cursor->flag_open = false;
        cursor->pictograph = false;
    }
    cursor->before = c;
}

/* Adds zero-width characters after a base, as many as a cell takes. */
static void add_marks(struct nsc_text_cursor *cursor, struct nsc_cluster *out)
{
    for (int marks = 0; marks < MARKS_MAX && cursor->at < cursor->n; marks++) {
        const char *bytes = cursor->bytes + cursor->at;
        uint32_t c = 0;
        size_t n = nsc_char_decode(&c, bytes, cursor->n - cursor->at);

        if (n < 2 || out->n + n > NSC_CLUSTER_BYTES || nsc_char_class(c) != NSC_CHAR_MARK ||
            !is_joined(cursor, c))
            break;
        memcpy(out->bytes + out->n, bytes, n);
        out->n = (uint8_t)(out->n + n);
        pass(cursor, c, n);
    }
}

static void set_char(struct nsc_cluster *out, uint32_t c, bool wide)
{
    out->n = (uint8_t)nsc_char_encode(out->bytes, c);
    out->width = wide ? 2 : 1;
}

/* Writes the cells of a code, one character each, with '<' and '>' for the brackets. Returns their
 * number. */
static size_t spell_code(char out[CODE_CELLS], uint32_t c, bool ascii)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t n = 0;
    int shift = ascii ? 4 : 12;

    while (shift < 20 && c >> (shift + 4))
        shift += 4;
    if (ascii) {
        out[n++] = '\\';
        out[n++] = 'u';
    }
    out[n++] = ascii ? '{' : '<';
    for (; shift >= 0; shift -= 4)
        out[n++] = digits[c >> shift & 15];
    out[n++] = ascii ? '}' : '>';
    return n;
}

/* The next cell of the code of the last character. */
static void step_code(struct nsc_text_cursor *cursor, struct nsc_cluster *out)
{
    char cells[CODE_CELLS];
    size_t n = spell_code(cells, cursor->before, cursor->ascii);
    char cell = cells[cursor->step];

    out->joined = out->joined || cursor->step > 0;
    set_char(out,
             cell == '<'   ? 0x2039
             : cell == '>' ? 0x203A
                           : (uint32_t)(unsigned char)cell,
             false);
    cursor->step = cursor->step + 1u < n ? (uint8_t)(cursor->step + 1) : 0;
}

/* One invalid byte. The next character begins a grapheme: before is 0. */
static void take_bad(struct nsc_text_cursor *cursor, struct nsc_cluster *out)
{
    out->joined = false;
    pass(cursor, cursor->ascii ? NSC_CHAR_BAD : 0, 1);
    if (cursor->ascii)
        step_code(cursor, out);
    else
        set_char(out, NSC_CHAR_BAD, false);
}

bool nsc_text_next(struct nsc_text_cursor *cursor, struct nsc_cluster *out)
{
    enum nsc_char_class kind = NSC_CHAR_NARROW;
    uint32_t c = 0;
    size_t n = 0;

    memset(out, 0, sizeof *out);
    if (cursor->step) {
        step_code(cursor, out);
        return true;
    }
    if (cursor->at >= cursor->n)
        return false;
    n = nsc_char_decode(&c, cursor->bytes + cursor->at, cursor->n - cursor->at);
    if (n == 0) {
        take_bad(cursor, out);
        return true;
    }
    out->joined = is_joined(cursor, c);
    pass(cursor, c, n);
    kind = nsc_char_class(c);
    if (kind == NSC_CHAR_CODE || kind == NSC_CHAR_MARK ||
        (cursor->ascii && (c < 0x20 || c > 0x7E))) {
        step_code(cursor, out);
        return true;
    }
    if (kind == NSC_CHAR_PICTURE) {
        set_char(out, c == 0x7F ? 0x2421 : 0x2400 + c, false);
        return true;
    }
    set_char(out, c, kind == NSC_CHAR_WIDE);
    if (!cursor->ascii && cursor->at < cursor->n &&
        (unsigned char)cursor->bytes[cursor->at] >= 0x80)
        add_marks(cursor, out);
    return true;
}

#define EACH_BYTE(value) ((uint64_t)(value)*0x0101010101010101u)

/* Adding 0x60 sets the top bit of bytes from 0x20 on, adding 1 the top bit of DEL. */
static bool are_eight_plain(const char *eight)
{
    uint64_t word, low;

    memcpy(&word, eight, sizeof word);
    low = word & EACH_BYTE(0x7F);
    return !((word | ~(low + EACH_BYTE(0x60)) | (low + EACH_BYTE(1))) & EACH_BYTE(0x80));
}

size_t nsc_text_plain(struct nsc_text text)
{
    size_t n = 0;

    while (text.n - n >= 8 && are_eight_plain(text.bytes + n))
        n += 8;
    if (text.n >= 8 && text.n - n < 8 && are_eight_plain(text.bytes + text.n - 8))
        return text.n;
    while (n < text.n && is_plain_ascii(text.bytes[n]))
        n++;
    return n;
}

/* Bytes of printable ASCII from the cursor on, at most limit. */
static size_t measure_plain(const struct nsc_text_cursor *cursor, size_t limit)
{
    size_t left = cursor->n - cursor->at;

    limit = left < limit ? left : limit;
    limit = limit < UINT32_MAX ? limit : UINT32_MAX;
    return nsc_text_plain((struct nsc_text){cursor->bytes + cursor->at, (uint32_t)limit});
}

/* Advances over printable ASCII and returns its length. Leaves the last byte, because marks may
 * follow it. Advances over none if the previous character is not ASCII, because it may join the
 * first. */
static size_t skip_plain(struct nsc_text_cursor *cursor)
{
    size_t n = 0;

    if (cursor->step || cursor->before >= 0x80)
        return 0;
    n = measure_plain(cursor, SIZE_MAX);
    if (n && cursor->at + n < cursor->n)
        n--;
    if (n)
        pass(cursor, (unsigned char)cursor->bytes[cursor->at + n - 1], n);
    return n;
}

size_t nsc_text_width(struct nsc_text text, bool ascii)
{
    struct nsc_text_cursor cursor = nsc_text_cursor(text, ascii);
    struct nsc_cluster cluster;
    size_t width = skip_plain(&cursor);

    while (nsc_text_next(&cursor, &cluster)) {
        width += cluster.width;
        width += skip_plain(&cursor);
    }
    return width;
}

/* Adds only whole clusters, so that a buffer at its limit still ends in valid UTF-8. */
static bool add_whole(struct nsc_buf *out, const char *bytes, size_t n)
{
    if (n > out->limit - out->n) {
        out->overflow = true;
        return false;
    }
    nsc_buf_add(out, bytes, n);
    return true;
}

static void cut_back(struct nsc_buf *out, size_t n)
{
    assert(n <= out->n);
    out->n = n;
    if (out->bytes)
        out->bytes[n] = '\0';
}

static size_t add_ellipsis(struct nsc_buf *out, bool ascii)
{
    const char *ellipsis = ascii ? "~" : "\xE2\x80\xA6";

    return add_whole(out, ellipsis, strlen(ellipsis)) ? 1 : 0;
}

size_t nsc_text_clip(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii)
{
    struct nsc_text_cursor cursor = nsc_text_cursor(text, ascii);
    struct nsc_cluster cluster;
    size_t cells = measure_plain(&cursor, width);
    size_t cut = out->n; /* where the ellipsis goes if the rest does not fit */
    size_t cut_cells = 0;

    if (width == 0)
        return 0;
    if (cells > 1) { /* keeps the last cell for marks or the ellipsis */
        cells--;
        pass(&cursor, (unsigned char)text.bytes[cells - 1], cells);
        if (!add_whole(out, text.bytes, cells))
            return 0;
        cut = out->n;
        cut_cells = cells;
    } else {
        cells = 0;
    }
    while (nsc_text_next(&cursor, &cluster)) {
        if (!cluster.joined && cells < width) {
            cut = out->n;
            cut_cells = cells;
        }
        if (cells + cluster.width > width) {
            cut_back(out, cut);
            return cut_cells + add_ellipsis(out, ascii);
        }
        if (!add_whole(out, cluster.bytes, cluster.n))
            break;
        cells += cluster.width;
    }
    return cells;
}

/* The longest suffix of text that takes at most width cells and begins with a whole character. */
static struct nsc_text text_end(struct nsc_text text, size_t width, bool ascii)
{
    uint32_t from = text.n;
    size_t used = 0;

    for (uint32_t i = text.n; i-- > 0 && used <= width;) {
        size_t cells = 0;

        if (((uint8_t)text.bytes[i] & 0xC0) == 0x80)
            continue;
        cells = nsc_text_width((struct nsc_text){text.bytes + i, text.n - i}, ascii);
        if (cells > used && cells <= width)
            from = i;
        used = cells > used ? cells : used;
    }
    return (struct nsc_text){text.bytes + from, text.n - from};
}

size_t nsc_text_clip_middle(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii)
{
    struct nsc_text end;
    size_t used = 0;

    if (width < 3 || nsc_text_width(text, ascii) <= width)
        return nsc_text_clip(out, text, width, ascii);
    end = text_end(text, (width - 1) / 2, ascii);
    used = nsc_text_width(end, ascii);
    used += nsc_text_clip(out, text, width - used, ascii);
    nsc_text_clean(out, end, ascii);
    return used;
}

void nsc_text_clip_right(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii)
{
    size_t cells = nsc_text_width(text, ascii);

    for (; cells < width; cells++)
        nsc_buf_putc(out, ' ');
    (void)nsc_text_clip(out, text, width, ascii);
}

void nsc_text_clean(struct nsc_buf *out, struct nsc_text text, bool ascii)
{
    struct nsc_text_cursor cursor = nsc_text_cursor(text, ascii);
    struct nsc_cluster cluster;
    size_t plain = skip_plain(&cursor);

    nsc_buf_add(out, text.bytes, plain);
    while (!out->overflow && nsc_text_next(&cursor, &cluster)) {
        if (!add_whole(out, cluster.bytes, cluster.n))
            return;
        plain = skip_plain(&cursor);
        nsc_buf_add(out, text.bytes + cursor.at - plain, plain);
    }
}

static uint32_t read_wide(const struct nsc_text *text, size_t *at)
{
    uint32_t c = 0;
    size_t n = nsc_char_decode(&c, text->bytes + *at, text->n - *at);

    if (n == 0) {
        c = 0x110000u + (unsigned char)text->bytes[*at];
        *at += 1;
        return c;
    }
    *at += n;
    return nsc_char_fold(c);
}

/* One character with case folded; an invalid byte gives a value above all characters. Most are
 * ASCII. */
static inline uint32_t read_folded(const struct nsc_text *text, size_t *at)
{
    char c = text->bytes[*at];

    if ((unsigned char)c >= 0x80)
        return read_wide(text, at);
    *at += 1;
    return (unsigned char)nsc_ascii_lower(c);
}

static bool continues_at(struct nsc_text haystack, size_t h, struct nsc_text needle, size_t k)
{
    while (k < needle.n)
        if (h >= haystack.n || read_folded(&haystack, &h) != read_folded(&needle, &k))
            return false;
    return true;
}

bool nsc_text_contains_folded(struct nsc_text haystack, struct nsc_text needle)
{
    size_t needle_rest = 0;
    uint32_t first = 0;

    if (needle.n == 0)
        return true;
    first = read_folded(&needle, &needle_rest);
    for (size_t at = 0; at < haystack.n;)
        if (read_folded(&haystack, &at) == first && continues_at(haystack, at, needle, needle_rest))
            return true;
    return false;
}

/* Whether the rest of a word, which is ASCII, follows at h. */
static bool has_rest(struct nsc_text haystack, size_t h, const char *rest)
{
    for (; *rest; rest++)
        if (h >= haystack.n || read_folded(&haystack, &h) != (unsigned char)nsc_ascii_lower(*rest))
            return false;
    return true;
}

static uint64_t bit_of(uint32_t first, uint32_t second)
{
    return (uint64_t)1 << ((first * 7 + second) & 63);
}

/* Whether the word begins with two characters in lower case. */
static bool begins_with(const char *word, uint32_t first, uint32_t second)
{
    return (unsigned char)nsc_ascii_lower(word[0]) == first &&
           (unsigned char)nsc_ascii_lower(word[1]) == second;
}

/* One pass over the text, which looks at the words only where two characters may begin one. */
bool nsc_text_contains_any(struct nsc_text haystack, const char *const words[])
{
    uint64_t pairs = 0;
    uint32_t before = 0;

    for (size_t i = 0; words[i]; i++)
        pairs |= bit_of((unsigned char)nsc_ascii_lower(words[i][0]),
                        (unsigned char)nsc_ascii_lower(words[i][1]));
    for (size_t at = 0; at < haystack.n;) {
        uint32_t c = read_folded(&haystack, &at);

        for (size_t i = 0; (pairs & bit_of(before, c)) && words[i]; i++)
            if (begins_with(words[i], before, c) && has_rest(haystack, at, words[i] + 2))
                return true;
        before = c;
    }
    return false;
}

int nsc_text_compare(struct nsc_text a, struct nsc_text b)
{
    uint32_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : (a.n > b.n) - (a.n < b.n);
}
