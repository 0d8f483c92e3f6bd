/*
 * Grapheme clusters and widths: the only code that measures text, and the only gate by which bytes of a file reach a
 * screen or a file we write.
 *
 * The gate never passes a byte on trust: every cluster comes out as printable UTF-8 of a known width.
 * Controls (C0, DEL, C1), bidi controls, zero-width and other invisible characters come out as a visible
 * symbol (C0 as its control picture U+2400.., the others as U+FFFD or a bracketed code), invalid bytes as
 * U+FFFD each, at most four combining marks a cluster. With ascii glyphs every character past 0x7E comes out as \u{...}.
 * Segmentation is u8_grapheme_breaks, a cluster's width the largest of its code points, at most 2.
 */
#ifndef NSC_CORE_TEXT_H
#define NSC_CORE_TEXT_H

#include "core/buf.h"
#include "nsyscope/types.h"

#define NSC_CLUSTER_BYTES 12 /* longer clusters come out as U+FFFD */

struct nsc_cluster {
    char bytes[NSC_CLUSTER_BYTES + 1]; /* printable UTF-8, NUL-terminated */
    uint8_t n;                         /* bytes without the NUL */
    uint8_t width;                     /* 1 or 2 cells */
};

/* Walks the clusters of raw text. No allocation; text stays borrowed. */
struct nsc_text_cursor {
    const char *bytes;
    size_t n, at;
    bool ascii;
};

static inline struct nsc_text_cursor nsc_text_cursor(struct nsc_text text, bool ascii)
{
    struct nsc_text_cursor cursor = {text.bytes, text.n, 0, ascii};

    return cursor;
}

/* The next cluster, made safe; false at the end. */
bool nsc_text_next(struct nsc_text_cursor *cursor, struct nsc_cluster *out);

/* Cells the whole text takes. */
size_t nsc_text_width(struct nsc_text text, bool ascii);

/*
 * Appends text made safe, cut to at most width cells: what is cut ends in an ellipsis (one cell). Never splits a
 * cluster, never exceeds width. Returns the cells used.
 */
size_t nsc_text_clip(struct nsc_buf *out, struct nsc_text text, size_t width, bool ascii);

/* Appends the whole text made safe, for a file or an error line: valid UTF-8, no control character. */
void nsc_text_clean(struct nsc_buf *out, struct nsc_text text, bool ascii);

static inline struct nsc_text nsc_text_from(const char *z)
{
    struct nsc_text text = {z, 0};

    while (z[text.n])
        text.n++;
    return text;
}

/* Case-folded substring search, ASCII and simple Unicode folding; an empty needle is found everywhere. */
bool nsc_text_contains_folded(struct nsc_text haystack, struct nsc_text needle);

#endif
