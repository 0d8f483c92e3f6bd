/*
 * Grapheme clusters and widths: the only code that measures text, and the only way for bytes of a
 * file to a screen or an output file.
 *
 * Every cluster comes out as printable UTF-8 of a known width. C0 controls and DEL become their
 * control pictures (U+2400.., U+2421), an invalid byte U+FFFD. C1 and bidi controls, zero-width,
 * invisible, private and unassigned characters, skin tones, combining marks without a base and
 * those after the fourth become a code of several one-cell clusters: "‹200B›". With ascii glyphs
 * every character that is not printable ASCII becomes \u{200B}, cell by cell; a literal backslash
 * stays.
 *
 * A cluster holds one spacing character and its marks, because all terminals measure that alike:
 * flags, emoji sequences and spacing vowel signs come out as their parts. The parts of one grapheme
 * (as u8_grapheme_breaks splits them) and of one code are joined, and clipping does not cut between
 * them.
 */
#ifndef NSC_CORE_TEXT_H
#define NSC_CORE_TEXT_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/chars.h"

#include <assert.h>
#include <string.h>

#define NSC_CLUSTER_BYTES 12 /* further marks become codes */

struct nsc_cluster {
    char bytes[NSC_CLUSTER_BYTES + 1]; /* printable UTF-8, NUL-terminated */
    uint8_t n;                         /* bytes without the NUL */
    uint8_t width;                     /* 1 or 2 cells */
    bool joined;                       /* to the cluster before: do not cut here */
};

/* Walks the clusters of raw text without allocation. The text stays borrowed. */
struct nsc_text_cursor {
    const char *bytes;
    size_t n, at;
    bool ascii;
    /* State between calls; zero at the start. */
    uint8_t step;    /* cells already returned of the code of `before` */
    bool flag_open;  /* `before` is the first half of a flag */
    bool pictograph; /* `before` is a pictograph or extends one */
    uint32_t before; /* the last code point; 0 at the start */
};

static inline struct nsc_text_cursor nsc_text_cursor(struct nsc_text text, bool ascii)
{
    struct nsc_text_cursor cursor = {text.bytes, text.n, 0, ascii, 0, false, false, 0};

    return cursor;
}

/* The next cluster, safe to show; false at the end. */
bool nsc_text_next(struct nsc_text_cursor *cursor, struct nsc_cluster *out);

/* Cells of the whole text. */
size_t nsc_text_width(struct nsc_text text, bool ascii);

/* The bytes before the first one that is not printable ASCII. A text of printable ASCII alone is
 * safe as it is, with one cell per byte. */
size_t nsc_text_plain(struct nsc_text text);

/*
 * Appends the text, safe and clipped to width cells; a clipped text ends in an ellipsis (one cell;
 * '~' with ascii). Never cuts a grapheme and reads no further than it shows. Returns the cells
 * used.
 */
size_t nsc_text_clip(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/* As nsc_text_clip, but a clipped text keeps both ends, with the ellipsis in the middle.
 * O(width^2). */
size_t nsc_text_clip_middle(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/* As nsc_text_clip, right-aligned in width cells. */
void nsc_text_clip_right(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/*
 * Appends the whole text, safe for a file or an error line: valid UTF-8 without control characters.
 */
void nsc_text_clean(struct nsc_buf *out, struct nsc_text text, bool ascii);

static inline struct nsc_text nsc_text_from(const char *z)
{
    return (struct nsc_text){z, (uint32_t)strlen(z)};
}

/* The value of a hexadecimal digit; -1 for another byte. */
static inline int nsc_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A to Z in lower case, in any locale; other bytes stay. */
static inline char nsc_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The text without white space (nsc_is_blank) at its start and end. */
static inline struct nsc_text nsc_text_trim(struct nsc_text text)
{
    while (text.n && nsc_is_blank(text.bytes[0])) {
        text.bytes++;
        text.n--;
    }
    while (text.n && nsc_is_blank(text.bytes[text.n - 1]))
        text.n--;
    return text;
}

/* Whether two texts are the same bytes. */
static inline bool nsc_text_equal(struct nsc_text a, struct nsc_text b)
{
    return a.n == b.n && memcmp(a.bytes, b.bytes, a.n) == 0;
}

/* Whether text is the word, byte by byte. */
static inline bool nsc_text_is(struct nsc_text text, const char *word)
{
    return strlen(word) == text.n && memcmp(text.bytes, word, text.n) == 0;
}

/* The row of a table whose first field is the word; n if none is. */
#define NSC_TEXT_AMONG(text, rows) \
    nsc_text_among(text, &(rows)[0].name, sizeof *(rows), sizeof(rows) / sizeof *(rows))
static inline unsigned nsc_text_among(struct nsc_text text, const char *const *first, size_t stride,
                                      unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (nsc_text_is(text, *(const char *const *)((const char *)first + i * stride)))
            return i;
    return n;
}

/* Whether it begins with the word. */
static inline bool nsc_text_begins(struct nsc_text text, const char *word)
{
    size_t n = strlen(word);

    return text.n >= n && memcmp(text.bytes, word, n) == 0;
}

/* If it has an end and something before that, cuts the end off. */
static inline bool nsc_text_cut_end(struct nsc_text *text, const char *end)
{
    uint32_t n = (uint32_t)strlen(end);
    bool has = text->n > n && memcmp(text->bytes + text->n - n, end, n) == 0;

    text->n -= has ? n : 0;
    return has;
}

static inline bool nsc_text_ends(struct nsc_text text, const char *end)
{
    return nsc_text_cut_end(&text, end);
}

/* Takes what stands before the separator, or all, from the front of the rest, and drops the separator. */
static inline struct nsc_text nsc_text_split(struct nsc_text *rest, char separator)
{
    const char *stop = rest->n ? memchr(rest->bytes, separator, rest->n) : NULL;
    struct nsc_text part = {rest->bytes, stop ? (uint32_t)(stop - rest->bytes) : rest->n};

    rest->bytes += part.n + (stop != NULL);
    rest->n -= part.n + (stop != NULL);
    return part;
}

/* The bytes of a buffer of less than 4 GiB; borrowed, "" if it is empty. */
static inline struct nsc_text nsc_text_of_buf(const struct nsc_buf *buf)
{
    assert(buf->n <= UINT32_MAX);
    return (struct nsc_text){buf->n ? buf->bytes : "", (uint32_t)buf->n};
}

/* Compares bytes, then lengths: negative, 0 or positive. */
int nsc_text_compare(struct nsc_text a, struct nsc_text b);

/* Whether it begins with the start, in ASCII without regard to case. */
static inline bool nsc_text_begins_folded(struct nsc_text text, struct nsc_text start)
{
    uint32_t i = 0;

    while (i < start.n && i < text.n &&
           nsc_ascii_lower(text.bytes[i]) == nsc_ascii_lower(start.bytes[i]))
        i++;
    return i == start.n;
}

/* Searches a substring with case folded (ASCII and simple Unicode folding). An empty needle is
 * always found. */
bool nsc_text_contains_folded(struct nsc_text haystack, struct nsc_text needle);
/* The same for any of some words, each of two or more ASCII characters; NULL ends the list. */
bool nsc_text_contains_any(struct nsc_text haystack, const char *const words[]);

#endif
