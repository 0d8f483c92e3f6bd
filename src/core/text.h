/*
 * Grapheme clusters and widths: the only code that measures text, and the only gate by which bytes
 * of a file reach a screen or a file we write.
 *
 * The gate never passes a byte on trust: every cluster comes out as printable UTF-8 of a known
 * width. C0 controls and DEL come out as their control pictures (U+2400.., U+2421), an invalid byte
 * as one U+FFFD. C1 and bidi controls, zero-width, invisible, private and unassigned characters,
 * skin tones, and combining marks that have no base or are more than four, come out as a code of
 * several one-cell clusters: "‹200B›". With ascii glyphs every character that is not printable
 * ASCII comes out as \u{200B}, cell by cell; a literal backslash stays.
 *
 * A cluster that comes out holds one spacing character and its marks, because that is what every
 * terminal measures alike: flags, emoji sequences and spacing vowel signs come out as their parts.
 * The parts of one grapheme (as u8_grapheme_breaks has it) and of one code are joined, and clipping
 * does not cut between joined clusters.
 */
#ifndef NSC_CORE_TEXT_H
#define NSC_CORE_TEXT_H

#include "nsyscope/types.h"

#include "core/buf.h"
#include "core/chars.h"

#include <string.h>

#define NSC_CLUSTER_BYTES 12 /* marks beyond this come out as codes */

struct nsc_cluster {
    char bytes[NSC_CLUSTER_BYTES + 1]; /* printable UTF-8, NUL-terminated */
    uint8_t n;                         /* bytes without the NUL */
    uint8_t width;                     /* 1 or 2 cells */
    bool joined;                       /* to the cluster before it: do not cut here */
};

/* Walks the clusters of raw text. No allocation; text stays borrowed. */
struct nsc_text_cursor {
    const char *bytes;
    size_t n, at;
    bool ascii;
    /* Between calls; zero at the start. */
    uint8_t step;    /* cells already given of the code of the character in before */
    bool flag_open;  /* before is the first half of a flag */
    bool pictograph; /* before is a pictograph or extends one */
    uint32_t before; /* the code point before at; 0 at the start */
};

static inline struct nsc_text_cursor nsc_text_cursor(struct nsc_text text, bool ascii)
{
    struct nsc_text_cursor cursor = {text.bytes, text.n, 0, ascii, 0, false, false, 0};

    return cursor;
}

/* The next cluster, made safe; false at the end. */
bool nsc_text_next(struct nsc_text_cursor *cursor, struct nsc_cluster *out);

/* Cells the whole text takes. */
size_t nsc_text_width(struct nsc_text text, bool ascii);

/* How many bytes in front are printable ASCII; a text of nothing else is safe as it is, a cell a
 * byte. */
size_t nsc_text_plain(struct nsc_text text);

/*
 * Appends text made safe, cut to at most width cells: what is cut ends in an ellipsis (one cell;
 * '~' with ascii). Never cuts inside a grapheme, never exceeds width, and reads no further than it
 * shows. Returns the cells used.
 */
size_t nsc_text_clip(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/* The same at the right end of width cells, blanks before it. */
void nsc_text_clip_right(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/* Appends the whole text made safe, for a file or an error line: valid UTF-8, no control
 * character. */
void nsc_text_clean(struct nsc_buf *out, struct nsc_text text, bool ascii);

static inline struct nsc_text nsc_text_from(const char *z)
{
    struct nsc_text text = {z, 0};

    while (z[text.n])
        text.n++;
    return text;
}

/* A to Z become a to z, whatever the locale; other bytes stay. */
static inline char nsc_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether text is the word, byte by byte; whether it begins with it. */
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

static inline bool nsc_text_is(struct nsc_text text, const char *word)
{
    return strlen(word) == text.n && memcmp(text.bytes, word, text.n) == 0;
}

static inline bool nsc_text_begins(struct nsc_text text, const char *word)
{
    size_t n = strlen(word);

    return text.n >= n && memcmp(text.bytes, word, n) == 0;
}

/* What a buffer holds; borrowed, and "" when it holds nothing. */
static inline struct nsc_text nsc_text_of_buf(const struct nsc_buf *buf)
{
    return (struct nsc_text){buf->n ? buf->bytes : "", (uint32_t)buf->n};
}

/* By bytes, the shorter first: below, at or above 0. */
int nsc_text_compare(struct nsc_text a, struct nsc_text b);

/* Case-folded substring search, ASCII and simple Unicode folding; an empty needle is found
 * everywhere. */
bool nsc_text_contains_folded(struct nsc_text haystack, struct nsc_text needle);

#endif
